//! Values that JSON allows and few readers take must not hide a change.
