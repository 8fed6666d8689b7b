// The data documents, and the globals of the vendored scripts. Every field may be absent in a document that is incomplete.

type Time = string;

interface Overview {
  at?: Time; until?: Time; gardener?: string; generator?: string; notes?: string[]; notesMore?: number;
  counts?: Partial<Record<"shoots" | "projects" | "mustAct" | "forcedSoon" | "forced" | "refused" | "warned" | "notForecast" | "expiring", number>>;
  soonDays?: number; expiringDays?: number;
  act?: Item[]; actMore?: number; forced?: Item[]; forcedMore?: number; expiring?: Expiring[]; expiringMore?: number;
}
interface Item {
  group?: string; kind?: string; first?: string; last?: string; shoots?: number; examples?: ShootName[];
  what?: string; why?: string[]; advice?: string[]; rule?: string;
}
interface ShootName { namespace?: string; name?: string; project?: string; owner?: string; }
interface Expiring { profile?: string; part?: string; version?: string; at?: Time; shoots?: number; stranded?: boolean; }

interface Namespace { namespace?: string; project?: string; owner?: string; data?: string; }
interface ProjectRow extends Namespace { shoots?: number; mustAct?: number; forced?: number; next?: Time; refused?: number; warned?: number; notForecast?: number; }
interface Index { namespaces?: Namespace[]; profiles?: string[]; rows?: unknown[]; }
/** A row of an index, with the names that its numbers refer to. */
interface Cluster {
  key: string; name: string; namespace: string; project: string; owner: string; profile: string; kubernetes: string; region: string; purpose: string;
  state: string; next: string; refused: number; warnings: number; groups: string[]; data: string; versions: string[]; text: string;
}
interface ProjectDocument extends Namespace { shoots?: unknown[]; namespaces?: Namespace[]; profiles?: string[]; objects?: OtherObject[]; }
interface OtherObject { kind?: string; name?: string; findings?: Finding[]; undetermined?: Undetermined[]; }

interface ShootDocument extends ShootName { deletion?: Time;
  profile?: string; provider?: string; region?: string; purpose?: string; seed?: string; created?: Time; kubernetes?: string; hibernated?: boolean; highAvailability?: string;
  maintenance?: { begin?: string; end?: string; offsetMinutes?: number; kubernetesAutoUpdate?: boolean; imageAutoUpdate?: boolean };
  pools?: Pool[]; constraints?: Condition[]; conditions?: Condition[]; forecast?: Forecast | null; notForecast?: string;
  findings?: Finding[]; undetermined?: Undetermined[]; silenced?: { id?: string; reason?: string; until?: string }[]; commands?: { what?: string; command?: string }[];
}
interface Pool {
  name?: string; machineType?: string; image?: string; imageVersion?: string; kubernetes?: string; minimum?: number; maximum?: number; zones?: string[]; updateStrategy?: string;
}
interface Condition { type?: string; status?: string; reason?: string; message?: string; since?: Time; }
interface Forecast { targets?: Target[]; windows?: MaintenanceWindow[]; remarks?: string[]; }
interface Stage { from?: Time; version?: string; stage?: string; }
interface Target {
  part?: string; pool?: string; image?: string; version?: string; classification?: string; endOfSupport?: Time; autoUpdate?: boolean; status?: string;
  targetVersion?: string; pausedReason?: string; stages?: Stage[];
}
interface MaintenanceWindow {
  begin?: Time; earliest?: Time; latest?: Time; local?: string; status?: string; wakesUp?: Time; sleeps?: boolean;
  blockedBy?: { rule?: string; field?: string; message?: string; help?: string }[]; notCertain?: string[]; events?: MaintenanceEvent[];
}
interface MaintenanceEvent {
  part?: string; pool?: string; image?: string; field?: string; from?: string; to?: string | null; class?: string; cause?: string;
  effects?: { effect?: string; pools?: string[] }[]; oddities?: string[]; advice?: string;
}
interface Finding { level?: string; finding?: string; rule?: string; occasion?: string; field?: string; message?: string; help?: string; beyond?: boolean; }
interface Undetermined { rule?: string; field?: string; message?: string; }

interface Versions { at?: Time; until?: Time; profiles?: Profile[]; }
interface Profile { profile?: string; shoots?: number; unknown?: string; lanes?: Lane[]; }
interface Lane { part?: string; name?: string; gap?: boolean; versions?: Version[]; }
interface Version { version?: string; shoots?: number; stages?: Stage[]; deadEnd?: Time; retirement?: { forced?: number; to?: string[]; stranded?: number }; }

interface FindingGroup {
  level?: string; finding?: string; rule?: string; sentence?: string; occasions?: string[]; objects?: number; kinds?: Record<string, number>;
  namespaces?: [number, number][]; examples?: { kind?: string; namespace?: string; name?: string }[]; beyond?: boolean;
}
interface Findings { objects?: OtherObject[]; findings?: FindingGroup[]; namespaces?: Namespace[]; }
interface RuleRow { rule?: string; summary?: string; subject?: string; findings?: string[]; here?: number; data?: string; }
interface RuleDocument { rule?: string; summary?: string; markdown?: string; }

interface Route { page: string; path: string[]; query: Record<string, string>; }
interface PageProps { route: Route; update: (changes: Record<string, string>) => void; }

type View = any;
declare const preact: { h: Function; render: (view: View, into: Element) => void; Fragment: Function };
declare const htm: { bind: (h: Function) => (strings: TemplateStringsArray, ...values: unknown[]) => View };
declare const preactHooks: {
  useState: <T>(first: T | (() => T)) => [T, (next: T | ((before: T) => T)) => void];
  useEffect: (effect: () => void | (() => void), inputs?: unknown[]) => void;
  useLayoutEffect: (effect: () => void | (() => void), inputs?: unknown[]) => void;
  useMemo: <T>(value: () => T, inputs: unknown[]) => T;
  useRef: <T>(first: T) => { current: T };
  useErrorBoundary: () => [Error | undefined, () => void];
};
declare var gardenGate: (name: string, document: unknown) => void;
