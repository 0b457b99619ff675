// The sections that are documents of the Management API: templates of mails and messages, and the theme.
import * as z from 'zod'
import { readTheme, themeParts, themeSchema } from '../../../data/tenants/theme'
import { isJsonObject, mergeObjects } from '../../../kernel/json'
import { alphanumeric } from '../../../kernel/random'
import { unwrapped } from '../../../kernel/schema'
import { invalidBody, problemOf } from '../../operations/errors'
import { THEME, THEME_ID } from '../../resources/branding'
import { EMAIL_TEMPLATE, LIQUID, newEmailTemplate, unusedMembers } from '../../resources/email'
import { newPhoneTemplate, PHONE_TEMPLATE, phoneTemplateAfter } from '../../resources/phone-templates'
import { isTemplateFile } from '../code-files'
import type { PlanContext } from '../context'
import { wholeNumber } from '../elsewhere'
import type { Configuration, DocumentRow, Json, JsonObject } from '../model'
import { absentIn, type ObjectKind, objectsSection, type WrittenKind, writtenKind } from './objects'

type Kind = Omit<WrittenKind<DocumentRow>, 'all' | 'isNamed' | 'name' | 'put' | 'write'> & {
  kind: DocumentRow['kind']
  /** The id of the document of an entry. */
  id(entry: JsonObject): string
}

const documentKind = ({ kind, id, ...rest }: Kind): ObjectKind<DocumentRow> =>
  writtenKind({
    ...rest,
    all: documentsOf(kind),
    isNamed: (row, entry) => row.id === id(entry),
    name: (row) => row.id,
    put: putDocument,
    write: (row) => ({ table: 'document', row }),
  })

export const documentsOf =
  (kind: DocumentRow['kind']) =>
  ({ documents }: Configuration): DocumentRow[] =>
    documents.filter((row) => row.kind === kind)

export function putDocument(stored: Configuration, row: DocumentRow, before: DocumentRow | undefined): void {
  stored.documents = [...stored.documents.filter((each) => each !== before), row]
}

function checkLiquid(sources: Record<string, Json | undefined>, { templateFault }: PlanContext): void {
  for (const [member, source] of Object.entries(sources)) {
    const fault = typeof source === 'string' ? templateFault(source) : null
    if (fault !== null) throw invalidBody({ path: member, message: fault })
  }
}

/** The vendor requires these members, and null for those that are not set. */
const UNSET = { body: null, from: null, subject: null, syntax: 'liquid', enabled: true }

const emailTemplate = documentKind({
  section: 'emailTemplates',
  kind: EMAIL_TEMPLATE,
  fields: newEmailTemplate.partial().required({ template: true }),
  elsewhere: { urlLifetimeInSeconds: wholeNumber(0) },
  id: ({ template }) => String(template),
  build(entry, before, path, context) {
    if (typeof entry.body === 'string' && isTemplateFile(entry.body)) {
      context.notApplied.push(`${path}: ${entry.body.trim()} cannot be read beside the tenant file`)
      return null
    }
    checkLiquid(Object.fromEntries(LIQUID.map((member) => [member, entry[member]])), context)
    context.notApplied.push(...unusedMembers(entry).map((member) => `${path}.${member}`))
    return { kind: EMAIL_TEMPLATE, id: String(entry.template), body: { ...UNSET, ...before?.body, ...entry } }
  },
  shown: ({ body }) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)),
})

export const emailTemplates = objectsSection(emailTemplate, 'template')

const phoneTemplate = documentKind({
  section: 'phoneTemplates',
  kind: PHONE_TEMPLATE,
  fields: z.object(newPhoneTemplate.shape),
  id: ({ type }) => String(type),
  build(entry, before, _path, context) {
    const { type, ...given } = newPhoneTemplate.parse(entry)
    checkLiquid(given.content?.body ?? {}, context)
    return { kind: PHONE_TEMPLATE, id: type, body: phoneTemplateAfter(type, before?.body ?? null, given) }
  },
  shown({ id, body }) {
    const content = isJsonObject(body.content) ? body.content : {}
    const { from, ...rest } = content
    return { type: id, ...body, content: from === '' ? rest : content }
  },
})

export const phoneTemplates = objectsSection(phoneTemplate, 'type')

/** Parts of a theme are read as they are: an empty address in them unsets one. */
const part = z.record(z.string(), z.json()).optional()

const theme = documentKind({
  section: 'themes',
  kind: THEME,
  fields: z.object({
    displayName: themeSchema.shape.displayName,
    ...Object.fromEntries(Object.keys(themeParts).map((name) => [name, part])),
  }),
  id: () => THEME_ID,
  build(given, before, path, { random, notApplied }) {
    const members = themeMembers(themeSchema, given, path, notApplied)
    const merged = mergeObjects(before ? (readTheme(before.body) as JsonObject) : {}, members)
    const absent = absentIn(themeSchema, merged)
    if (absent.length > 0) notApplied.push(`${path}: needs ${absent.join(', ')}`)
    if (absent.length > 0) return null
    const checked = themeSchema.safeParse(merged)
    if (!checked.success) throw invalidBody(problemOf(checked.error))
    const themeId = before?.body.themeId ?? alphanumeric(random, 32)
    return { kind: THEME, id: THEME_ID, body: { ...(checked.data as JsonObject), themeId } }
  },
  shown: ({ body }) => readTheme(body) as JsonObject,
})

/** The members that a theme has; others are reported. Null sets none. */
function themeMembers(schema: z.ZodObject, given: JsonObject, path: string, notApplied: string[]): JsonObject {
  const members = Object.entries(given).flatMap(([name, value]): [string, Json][] => {
    if (value === null) return []
    const place = `${path}.${name}`
    if (!Object.hasOwn(schema.shape, name)) {
      notApplied.push(place)
      return []
    }
    const inner = unwrapped(schema.shape[name] as z.ZodType)
    const isPart = inner instanceof z.ZodObject && isJsonObject(value)
    return [[name, isPart ? themeMembers(inner, value, place, notApplied) : value]]
  })
  return Object.fromEntries(members)
}

const manyThemes = objectsSection(theme, 'displayName')

/** A tenant has one theme: the others of a list are reported. */
export const themes = {
  ...manyThemes,
  async plan(given: Json, context: PlanContext): Promise<void> {
    await manyThemes.plan(Array.isArray(given) ? given.slice(0, 1) : given, context)
    if (Array.isArray(given) && given.length > 1) context.notApplied.push('themes: a tenant has one theme')
  },
}
