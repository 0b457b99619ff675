// Writes an OpenAPI 3.1 document from operations as plain data.
import * as z from 'zod'
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi'
import { OWN_META } from '../../kernel/schema-meta'

export type DocumentedAnswer = {
  says: string
  schema?: z.ZodType | undefined
  type?: string | undefined
  orType?: string | undefined
}

export type DocumentedOperation = {
  id: string
  tag: string
  method: string
  /** With `:name` segments. */
  path: string
  summary: string
  description?: string
  /** Alternatives; each names a security scheme and the scopes that it needs there. */
  security: Record<string, string[]>[]
  query?: z.ZodObject | undefined
  headers?: z.ZodObject
  body?: { schema: z.ZodType; types: readonly string[]; required: boolean } | undefined
  answers: Readonly<Record<string, DocumentedAnswer>>
  /** Requests by title. */
  examples: Readonly<
    Record<
      string,
      { query?: Readonly<Record<string, string>>; body?: unknown; path?: Readonly<Record<string, string>> }
    >
  >
}

type About = Pick<ZodOpenApiObject, 'info' | 'servers' | 'security'> & {
  securitySchemes: NonNullable<NonNullable<ZodOpenApiObject['components']>['securitySchemes']>
}

/** The document as JSON text. */
export function writeDocument(
  { securitySchemes, ...about }: About,
  operations: readonly DocumentedOperation[],
): string {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationOf(operation) }
  }
  const document = createDocument(
    { openapi: '3.1.1', ...about, paths: paths as ZodOpenApiPathsObject, components: { securitySchemes } },
    {
      allowEmptySchema: { undefined: true, custom: true, unknown: true, any: true, transform: true },
      override: ({ jsonSchema }) => withoutOwnMeta(jsonSchema),
    },
  )
  openInside(document)
  return JSON.stringify(document, withoutRecursion)
}

type Schema = {
  $ref?: string
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

/** An object of an answer that has other members, too (`withOthers` in lib/kernel/schema.ts), has them at every depth. */
function openInside({ paths, components }: ReturnType<typeof createDocument>): void {
  const named = (components?.schemas ?? {}) as Record<string, Schema>
  const opened = new Set<Schema>()
  const visit = (schema: Schema, isInside: boolean): void => {
    const { $ref, properties = {}, additionalProperties: others, items, anyOf = [], oneOf = [], allOf = [] } = schema
    if (isInside && opened.has(schema)) return
    if (isInside) opened.add(schema)
    if (isInside && others === false) delete schema.additionalProperties
    const target = isInside && $ref !== undefined ? named[$ref.slice($ref.lastIndexOf('/') + 1)] : undefined
    const isOpen = isInside || others === true || (typeof others === 'object' && Object.keys(others).length === 0)
    const values = typeof others === 'object' ? [others] : []
    const parts = [target ?? [], items ?? [], values, Object.values(properties), anyOf, oneOf, allOf].flat()
    for (const part of parts) visit(part, isOpen)
  }
  for (const schema of [...answersIn(paths), ...Object.values(named)]) visit(schema, false)
}

type Answers = Record<string, { content?: Record<string, { schema?: Schema }> }>

const answersIn = (paths: unknown): Schema[] =>
  Object.values(paths as Record<string, Record<string, { responses: Answers }>>)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ content = {} }) => Object.values(content))
    .flatMap(({ schema }) => schema ?? [])

/** Sentences for people become descriptions; what only forms read is left out. */
function withoutOwnMeta(jsonSchema: { description?: string } & Record<string, unknown>): void {
  const { help, unset, description } = jsonSchema
  const texts = [help, typeof unset === 'string' ? `Not set: ${unset}.` : undefined]
  const text = texts.filter((each) => typeof each === 'string').join(' ')
  if (text !== '' && description === undefined) jsonSchema.description = text
  for (const name of OWN_META) delete jsonSchema[name]
}

/** Of a schema without a name that contains itself. Only `z.json()` does: any value, which the empty schema says, too. */
const RECURSIVE = /^(#\/components\/schemas\/)?__schema\d+$/

/** Generators of types cannot read a type that is a union with itself. */
function withoutRecursion(name: string, value: unknown): unknown {
  if (RECURSIVE.test(name)) return undefined
  const { $ref } = (value ?? {}) as { $ref?: unknown }
  return typeof $ref === 'string' && RECURSIVE.test($ref) ? {} : value
}

function operationOf(operation: DocumentedOperation): ZodOpenApiOperationObject {
  const { id, tag, summary, description, security, query, headers, body, answers, examples } = operation
  const [first] = Object.values(examples)
  const segments = [...operation.path.matchAll(/:([\w-]+)/g)].map(([, name = '']) => [name, z.string()] as const)
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security,
    requestParams: {
      ...(segments.length === 0 ? {} : { path: z.object(shown(Object.fromEntries(segments), first?.path)) }),
      ...(query ? { query: z.object(shown(query.shape, first?.query)) } : {}),
      ...(headers ? { header: headers } : {}),
    },
    ...(body ? { requestBody: requestBodyOf(body, examples) } : {}),
    responses: Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, responseOf(answer)])),
  }
}

/** Parameters with the values of an example. */
const shown = (shape: z.core.$ZodShape, example: Readonly<Record<string, string>> = {}): z.ZodRawShape =>
  Object.fromEntries(
    Object.entries(shape as z.ZodRawShape).map(([name, type]) => {
      const value = example[name]
      return [
        name,
        value === undefined
          ? type
          : (type as z.ZodType).meta({ ...(type as z.ZodType).meta(), param: { example: value } }),
      ]
    }),
  )

function requestBodyOf(
  { schema, types, required }: NonNullable<DocumentedOperation['body']>,
  examples: DocumentedOperation['examples'],
) {
  const bodies = Object.entries(examples).flatMap(([title, { body }]) =>
    body === undefined ? [] : [[title, { value: body }] as const],
  )
  const media = { schema, ...(bodies.length === 0 ? {} : { examples: Object.fromEntries(bodies) }) }
  return { required, content: Object.fromEntries(types.map((type) => [type, media])) }
}

const responseOf = ({ says, schema, type, orType }: DocumentedAnswer): ZodOpenApiResponseObject => ({
  description: says,
  ...(schema === undefined && type === undefined
    ? {}
    : {
        content: {
          [type ?? 'application/json']: { schema: schema ?? z.string() },
          ...(orType === undefined ? {} : { [orType]: { schema: z.string() } }),
        },
      }),
})
