/** A body of JSON with a line for each member; one that is not JSON, or only its beginning, is returned unchanged. */
export function indentedJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
