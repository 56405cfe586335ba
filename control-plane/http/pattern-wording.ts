/** What a text must be, by the contract's pattern that refuses it. A regular expression means nothing to most people. */
export const PATTERN_WORDING: Readonly<Record<string, string>> = {
  '^/': 'must start with /',
  '^[A-Za-z0-9_-]+$': 'must consist of letters A to Z, digits, - and _',
  '^[a-z][a-z0-9_-]*$': 'must consist of lower-case letters, digits, - and _, and start with a letter',
  '^[a-z][a-z0-9+.-]*$': 'must be a scheme without its colon, such as shop: lower-case letters, digits, +, . and -, starting with a letter',
  '^[A-Z0-9]{10}$': 'must be an Apple team id: ten capital letters and digits, such as A1B2C3D4E5',
  '^[A-Za-z0-9.-]+$': 'must be a bundle id such as com.example.shop',
  '^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z][A-Za-z0-9_]*)+$': 'must be a package name such as com.example.shop',
  '^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){31}$': 'must be 32 bytes in hexadecimal, separated by colons, such as 14:6D:E9:...',
  '^#?[0-9A-Fa-f]{6}$': 'must be a colour of six hexadecimal digits, such as 0d3b66 or #0d3b66',
  '^#[0-9A-Fa-f]{6}$': 'must be a colour: # and six hexadecimal digits, such as #0d3b66',
  '^[A-Za-z0-9+/]+={0,2}$': 'must be base64, without line breaks and without "data:" in front',
  '^[0-9]{1,10}\\.[0-9]{1,18}(\\.[0-9]{1,18}-[0-9]{1,19}){0,20}$': 'must be the id of an event of the stream, unchanged',
  '^lnk_[0-9a-z]{26}(?:,lnk_[0-9a-z]{26}){0,99}$': 'must be at most 100 ids of links, separated by commas',
  '^[^,\\s](?:[^,]*[^,\\s])?$': 'must not contain a comma, nor begin or end with a blank',
  '^[A-Z]{2}$': 'must be an ISO 3166-1 country code of two capital letters, such as DE',
  '^[A-Z]{3}$': 'must be an ISO 4217 currency code such as EUR',
};
