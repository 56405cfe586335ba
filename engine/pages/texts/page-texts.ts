/** The placeholder for the name of the project. */
export const PROJECT = '{project}';

/** The names of the pages that lead nowhere. */
export const STATUS_PAGE_NAMES = [
  'not_found',
  'disabled',
  'expired',
  'deleted',
  'blocked',
  'method_not_allowed',
  'unavailable',
  'failed',
  'no_destination',
] as const;
export type StatusPageName = (typeof STATUS_PAGE_NAMES)[number];

export interface PageText {
  readonly title: string;
  readonly text: string;
}

/** All texts on the pages of the link hosts, in one language. Plain text, in which `{project}` is replaced. */
export interface Texts {
  readonly status: { readonly [Name in StatusPageName]: PageText };
  /** The page that opens the app. */
  readonly open: PageText;
  /** The same if all that is left to do is to get the app. */
  readonly get: PageText;
  readonly open_button: string;
  readonly get_button: string;
  readonly web_link: string;
  /** Leads to the help that the owner of the link offers. */
  readonly support_link: string;
  /** For a visitor inside another app's browser. */
  readonly in_app_hint: string;
  /** The page that asks for the password of a link. */
  readonly password: {
    readonly title: string;
    readonly text: string;
    readonly label: string;
    readonly button: string;
    readonly wrong: string;
    readonly throttled: string;
    /** The network failed. */
    readonly unsent: string;
  };
}
