/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: ApiOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, ApiSchema>>;
    readonly responses: Readonly<Record<string, ApiResponse>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description: string; readonly bearerFormat: string }>>;
  };
}

export interface ApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly description?: string; readonly content: ApiContent };
  readonly responses: Readonly<Record<string, ApiResponse | ApiReference>>;
}

export interface ApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: ApiSchema;
}

export interface ApiReference {
  readonly $ref: string;
}

export interface ApiResponse {
  readonly description: string;
  readonly content?: ApiContent;
}

export type ApiContent = Readonly<
  Record<string, { readonly schema?: ApiSchema; readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
>;

/** A JSON schema; only what is shown of it. */
export interface ApiSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ApiSchema>>;
  readonly required?: readonly string[];
  readonly items?: ApiSchema;
  readonly anyOf?: readonly ApiSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly default?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}
