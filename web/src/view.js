// @ts-check
// The view library, which vendor/ defines as globals.

export const { h, render } = preact;
export const { useState, useEffect, useLayoutEffect, useMemo, useRef, useErrorBoundary } = preactHooks;
/** Makes elements of a template. Values are text or attributes, never markup. */
export const html = htm.bind(h);
