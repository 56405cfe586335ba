import { toCamel } from '../../shared/sdk/casing.js';
import { literalOf } from './literal.js';
import { CLIENT_PREAMBLE, CLIENT_SAMPLES, SERVER_PREAMBLE, SERVER_SAMPLES } from './samples.js';

/** The parts of an operation in the OpenAPI document that are read. */
interface DocumentOperation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly schema: { readonly examples?: readonly unknown[] } }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>>;
  };
}

interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

type Paths = Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;

/** The OpenAPI document as the reference shows it: the same document, with a sample of the SDK in each operation. */
export function documentWithSamples(document: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const paths = Object.entries(document.paths as Paths).map(([path, operations]) => {
    const sampled = Object.entries(operations).map(([method, operation]) => [
      method,
      { ...operation, 'x-codeSamples': [codeSample(operation)] },
    ]);
    return [path, Object.fromEntries(sampled)] as const;
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

function codeSample(operation: DocumentOperation): CodeSample {
  const { operationId } = operation;
  const client = (CLIENT_SAMPLES as Readonly<Record<string, string>>)[operationId];
  const template = client ?? (SERVER_SAMPLES as Readonly<Record<string, string>>)[operationId] ?? '';
  const call = template.replaceAll(/\$(\w+)/g, (_, name: string) => literalOf(namedValue(operation, name)));
  return {
    lang: 'typescript',
    label: client === undefined ? '@link-service/server' : '@link-service/client',
    source: `${client === undefined ? SERVER_PREAMBLE : CLIENT_PREAMBLE}\n${call}`,
  };
}

/** The example for the name, as the SDKs take it, in camel case. */
function namedValue({ requestBody, parameters = [] }: DocumentOperation, name: string): unknown {
  const examples = Object.values(requestBody?.content['application/json']?.examples ?? {});
  const body = toCamel(examples[0]?.value) as Readonly<Record<string, unknown>> | undefined;
  if (name === 'body') return body;
  if (body !== undefined && name in body) return body[name];
  return parameters.find((parameter) => parameter.name === name)?.schema.examples?.[0];
}
