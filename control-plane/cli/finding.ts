/** One thing that `linkd doctor` has looked at. */
export interface Finding {
  /** What was looked at, such as `schema`: stable, for programs that read the JSON. */
  readonly check: string;
  /** `unchecked`: the check could not be made, which says nothing about the installation. */
  readonly status: 'ok' | 'warning' | 'failure' | 'unchecked';
  /** One sentence. */
  readonly text: string;
  /** The command or the setting that repairs it, or the command that makes a check which has to be asked for; null otherwise. */
  readonly repair: string | null;
}

export interface Examination {
  /** A URL that is called through the outbound guard; null calls nobody. */
  readonly outboundTarget: string | null;
  /** How many of each the installation would run, each with these settings; null takes those that live as they say. */
  readonly engines: number | null;
  readonly controlPlanes: number | null;
}

/** Looks at everything, each check in a bounded time. Refuses nothing: what cannot be looked at is a finding. */
export type Examine = (examination: Examination) => Promise<readonly Finding[]>;
