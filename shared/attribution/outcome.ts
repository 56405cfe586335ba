/** The rules that match a first open to a click, in the order in which they are tried. */
export const MATCH_TYPES = ['opened_url', 'play_referrer', 'clipboard', 'probabilistic'] as const;
export type MatchType = (typeof MATCH_TYPES)[number];

/** Why an open has its outcome. The codes are part of the public contract. */
export const OPEN_REASONS = {
  matched: 'The rule in `match_type` matched.',
  ambiguous: 'More than one click from this network and system matches, and nothing distinguishes them.',
  click_used: 'The click that the referrer or the clipboard names was matched to another installation.',
  click_expired:
    'The click that the referrer or the clipboard names is too old. Its id contains its time, so an old id that was never issued is also too old.',
  click_unknown:
    'The referrer or the clipboard names no click of this environment that could lead to an installation. A click that a later open has used is not known any more either.',
  address_not_matchable: 'The address is private, or shared by a carrier or a relay, so it cannot be used for a match.',
  os_version_unknown: 'The system is not iOS or Android, or its version was not given.',
  no_candidate: 'No unused click matches.',
  no_link: 'It is not a first open, and the app was not opened through a link of this environment.',
} as const satisfies Record<string, string>;

export type OpenReason = keyof typeof OPEN_REASONS;
