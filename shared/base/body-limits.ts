/**
 * Contract: values of a body of more than `LARGE_CALL_BYTES_MIN`, at every depth, unless it is that of a bulk call. The most that an
 * operation uses are the 2,000 of 4 KiB of custom data. Parsing and checking 5,000 takes the event loop some 15 ms; a body of a mebibyte
 * can have 500,000, and took it 150 ms and more.
 */
export const BODY_VALUES_MAX = 5_000;
