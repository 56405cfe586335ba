import { Agent } from 'node:http';
import { askHttp, type HttpAnswer } from './ask-http.js';
import type { Stack } from './stack.js';

export const SLACK = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)';

/** What a preview bot received. */
export interface CardAnswer extends HttpAnswer {
  /** Of the card: `og:title`. */
  readonly title: string;
}

/** Sends one preview bot. Without an agent it has a connection of its own, so that bots spread over the processes. */
export async function askCard(
  { engine, project }: Stack,
  path: string,
  { method = 'GET', agent = false }: { readonly method?: string; readonly agent?: Agent | false } = {},
): Promise<CardAnswer> {
  const headers = { host: project.linkHost, 'user-agent': SLACK };
  const answer = await askHttp({ port: engine.port, path, method, headers, agent });
  return { ...answer, title: /<meta property="og:title" content="([^"]*)">/.exec(answer.body)?.[1] ?? '' };
}

/** Sends bots over a few connections that are kept open: a flood of requests, but not of connections. */
export async function askCards(stack: Stack, paths: readonly string[], connections: number): Promise<readonly CardAnswer[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  try {
    return await Promise.all(paths.map((path) => askCard(stack, path, { agent })));
  } finally {
    agent.destroy();
  }
}

/** A resource type with a template `/<key>/{id}` and a metadata API. */
export interface PreviewedType {
  readonly id: string;
  readonly key: string;
  readonly configuration: Readonly<Record<string, unknown>>;
}

/** Creates the type as a customer does, and resolves when its cards are live. `probe` is an item that the API knows. */
export async function makePreviewedType(
  stack: Stack,
  key: string,
  configuration: Readonly<Record<string, unknown>>,
): Promise<PreviewedType> {
  const call = async <Body>(method: string, path: string, body: unknown) => {
    const answer = await stack.controlPlane.call<Body>(stack.project, method, path, body);
    if (answer.status > 299) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { id } = await call<{ id: string }>('POST', '/resource-types', { key, name: key });
  await call('POST', '/url-templates', {
    resource_type_id: id,
    path_pattern: `/${key}/{id}`,
    id_format: { kind: 'preset', preset: 'base64url' },
    deep_link_path: '/{type}/{id}',
    redirects: { web: 'https://shop.example/{id}' },
  });
  await call('PUT', `/resource-types/${id}/metadata-api`, configuration);
  return { id, key, configuration };
}
