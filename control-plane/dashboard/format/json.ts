/** Indents a JSON body. A body that is not JSON, or is only the beginning of JSON, is returned unchanged. */
export function indentedJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
