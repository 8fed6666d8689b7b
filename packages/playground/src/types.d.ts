export type { CompletionList, Details, ForecastDocument, Marker, SessionInput } from "../../core/dist/types.js";
