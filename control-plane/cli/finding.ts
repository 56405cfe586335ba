/** The result of one check of `linkd doctor`. */
export interface Finding {
  /** Name of the check, such as `schema`. It is stable, for programs that read the JSON. */
  readonly check: string;
  /** `unchecked`: the check could not be made. This says nothing about the installation. */
  readonly status: 'ok' | 'warning' | 'failure' | 'unchecked';
  /** One sentence. */
  readonly text: string;
  /** The command or setting that repairs the fault, or the command for a check that is made only on request; null otherwise. */
  readonly repair: string | null;
}

export interface Examination {
  /** A URL to call through the outbound guard; null for none. */
  readonly outboundTarget: string | null;
  /** How many engines and control planes would run with these settings; null takes those that are running, with what they report. */
  readonly engines: number | null;
  readonly controlPlanes: number | null;
}

/** Makes all checks, each in a limited time. Never rejects: a check that cannot be made is a finding, too. */
export type Examine = (examination: Examination) => Promise<readonly Finding[]>;
