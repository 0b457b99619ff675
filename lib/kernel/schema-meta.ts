// What a schema says to people about its members, by `.meta()` of zod: the OpenAPI document and the forms of the console derive from it.
// These are texts and numbers alone, so that they cost a start nothing. `title` and `description` belong to JSON Schema.
import * as z from 'zod'
import { unwrapped } from './schema'

declare module 'zod' {
  interface GlobalMeta {
    /** A sentence about the member, for the person who fills it in. The reference shows it where there is no `description`. */
    help?: string
    /** The panel of a form that has the member. A member without a group has no control. */
    group?: string
    /** The place among the members of a form, and of the group among its groups. Members without one come last. */
    order?: number
    unit?: 'seconds' | 'hours'
    /** A control hides what is typed; an empty one keeps what is stored. */
    secret?: true
    /** Objects of the tenant that a form offers as values (lib/server/next/console/pickers.ts). */
    picker?:
      | 'applications'
      | 'apis'
      | 'connections'
      | 'databases'
      | 'languages'
      | 'organizations'
      | 'roles'
      | 'strategies'
      | 'users'
    /** What a text, or each text of a list, has to be: a control says so while a person types. */
    format?: 'address' | 'origin' | 'network' | 'e-mail' | 'host' | 'certificate' | 'metadata'
    /** The language of a text of several lines, which an editor colours. */
    syntax?: 'javascript'
    /** A change of this object is merged into the stored one, so what is taken out is sent as null. */
    merges?: true
    /** The labels of values. A form offers no others, unless none has a label. */
    options?: Readonly<Record<string, string>>
    /** A text of several lines. */
    multiline?: true
    /** What holds where it is not set, if that is no value of its own: the form says so after `Not set:`. */
    unset?: string
    /** The value that holds where none is set, if the schema has no default. */
    standard?: string | number
    /** A form folds it away: few have a reason to change it. */
    rare?: true
  }
}

export type SchemaMeta = Partial<z.GlobalMeta>

/** The members of the metadata that no other tool knows. */
export const OWN_META = [
  'help',
  'group',
  'order',
  'unit',
  'secret',
  'picker',
  'options',
  'multiline',
  'format',
  'syntax',
  'merges',
  'rare',
  'unset',
  'standard',
] as const

/** The metadata of a member, wherever it stands: on the value, or on what makes it optional. */
export function metaOf(schema: z.ZodType): SchemaMeta {
  const inner = unwrapped(schema)
  if (inner === schema) return schema.meta() ?? {}
  const within = 'unwrap' in schema ? metaOf((schema as unknown as { unwrap(): z.ZodType }).unwrap()) : {}
  return { ...within, ...schema.meta() }
}

/** The value that holds where none is set. */
export function standardOf(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodDefault) return schema.def.defaultValue
  const within =
    unwrapped(schema) === schema ? undefined : standardOf((schema as unknown as { unwrap(): z.ZodType }).unwrap())
  return within ?? metaOf(schema).standard
}

/**
 * A body as the reference describes it: what the object shows describes a member of the same name. A body that takes more than its own members
 * has those of the object, too.
 */
export function describedLike(shown: z.core.$ZodShape, { shape, def }: z.ZodObject): z.ZodObject {
  const own = Object.fromEntries(
    Object.entries(shape as Record<string, z.ZodType>).map(([name, schema]) => [name, likeShown(schema, shown[name])]),
  )
  return def.catchall instanceof z.ZodNever
    ? z.strictObject(own)
    : z.looseObject({ ...(shown as z.ZodRawShape), ...own })
}

function likeShown(schema: z.ZodType, shown: z.core.$ZodType | undefined): z.ZodType {
  const { title, id: _id, ...meta } = shown ? metaOf(shown as z.ZodType) : {}
  if (title === undefined || metaOf(schema).title !== undefined) return schema
  const standard = standardOf(shown as z.ZodType)
  return schema.meta({
    title,
    ...meta,
    ...((typeof standard === 'string' || typeof standard === 'number') && { standard }),
  })
}

/** The same members in groups of another name, and `later` in the order. */
export const regrouped = <Shape extends z.core.$ZodShape>(
  shape: Shape,
  nameOf: (group: string) => string,
  later: number,
): Shape =>
  Object.fromEntries(
    Object.entries(shape as Readonly<Record<string, z.core.$ZodType>>).map(([name, member]) => {
      const schema = member as z.ZodType
      const { id: _id, group, order, ...meta } = metaOf(schema)
      const moved = group !== undefined && order !== undefined && { group: nameOf(group), order: order + later }
      return [name, moved ? schema.meta({ ...meta, ...moved }) : schema]
    }),
  ) as unknown as Shape

/** The label of a value of a member; the value itself where it has none. */
export function labelOf(schema: z.ZodType, value: string): string {
  const { options = {} } = metaOf(schema)
  return options[value] ?? value
}

/** A member within a body, by its path: `refresh_token.leeway`. */
export function memberAt(schema: z.ZodType | undefined, path: string): z.ZodType | undefined {
  let found = schema
  for (const name of path.split('.')) {
    const whole = found && unwrapped(found)
    found =
      whole instanceof z.ZodObject && Object.hasOwn(whole.shape, name) ? (whole.shape[name] as z.ZodType) : undefined
  }
  return found
}

export type MemberGroup = { group: string; members: string[] }

/** The members that have a group, as paths, by their groups and in their order. */
export function groupsIn(schema: z.ZodType): MemberGroup[] {
  const placed = groupedIn(schema, '').sort((one, other) => one.order - other.order)
  const groups = new Map<string, string[]>()
  for (const { group, path } of placed) groups.set(group, [...(groups.get(group) ?? []), path])
  return [...groups].map(([group, members]) => ({ group, members }))
}

type Placed = { path: string; group: string; order: number }

function groupedIn(schema: z.ZodType, prefix: string): Placed[] {
  const whole = unwrapped(schema)
  if (!(whole instanceof z.ZodObject)) return []
  return Object.entries(whole.shape as Record<string, z.ZodType>).flatMap(([name, member]): Placed[] => {
    const { group, order = Number.POSITIVE_INFINITY } = metaOf(member)
    const path = `${prefix}${name}`
    return group === undefined ? groupedIn(member, `${path}.`) : [{ path, group, order }]
  })
}
