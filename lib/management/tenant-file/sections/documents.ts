// The sections that are documents of the Management API: templates of mails and messages, and the theme.
import * as z from 'zod'
import { readTheme, themeParts, themeSchema } from '../../../data/tenants/theme'
import { isJsonObject, mergeObjects } from '../../../kernel/json'
import { unwrapped } from '../../../kernel/schema'
import { branding, THEME, THEME_ID } from '../../resources/branding'
import { EMAIL_TEMPLATE, email, newEmailTemplate, unusedMembers } from '../../resources/email'
import {
  newPhoneTemplate,
  PHONE_TEMPLATE,
  phoneTemplateId,
  phoneTemplates as resource,
} from '../../resources/phone-templates'
import { isTemplateFile, unreadFile } from '../code-files'
import type { PlanContext } from '../context'
import { wholeNumber } from '../elsewhere'
import type { Configuration, DocumentRow, Json, JsonObject } from '../model'
import { operate } from '../working-copy'
import { absentIn, type ObjectKind, objectsSection } from './objects'

type Kind = Omit<ObjectKind<DocumentRow>, 'all' | 'isNamed' | 'name'> & {
  kind: DocumentRow['kind']
  /** The id of the document of an entry. */
  id(entry: JsonObject): string
}

const documentKind = ({ kind, id, ...rest }: Kind): ObjectKind<DocumentRow> => ({
  ...rest,
  all: documentsOf(kind),
  isNamed: (entry) => (row) => row.id === id(entry),
  name: (row) => row.id,
})

export const documentsOf =
  (kind: DocumentRow['kind']) =>
  ({ documents }: Configuration): DocumentRow[] =>
    documents.filter((row) => row.kind === kind)

/** The vendor requires these members, and null for those that are not set. */
const UNSET = { body: null, from: null, subject: null, syntax: 'liquid', enabled: true }

const emailTemplate = documentKind({
  section: 'emailTemplates',
  kind: EMAIL_TEMPLATE,
  fields: newEmailTemplate.partial().required({ template: true }),
  elsewhere: { urlLifetimeInSeconds: wholeNumber(0) },
  id: ({ template }) => String(template),
  async operate(entry, before, path, context) {
    if (typeof entry.body === 'string' && isTemplateFile(entry.body)) {
      context.notApplied.push(`${path}: ${unreadFile(entry.body)}`)
      return
    }
    const params = { templateName: String(entry.template) }
    await (before
      ? operate(email.change, { params, body: entry }, context)
      : operate(email.make, { body: { ...UNSET, ...entry } }, context))
    context.notApplied.push(...unusedMembers(entry).map((member) => `${path}.${member}`))
  },
  shown: ({ body }) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)),
})

export const emailTemplates = objectsSection(emailTemplate, 'template')

const phoneTemplate = documentKind({
  section: 'phoneTemplates',
  kind: PHONE_TEMPLATE,
  fields: z.object(newPhoneTemplate.shape),
  id: ({ type }) => String(type),
  operate({ type, ...given }, before, _path, context) {
    return before
      ? operate(resource.change, { params: { id: phoneTemplateId(String(type)) }, body: given }, context)
      : operate(resource.make, { body: { type: type ?? null, ...given } }, context)
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
  async operate(given, before, path, context) {
    const { notApplied } = context
    const members = themeMembers(themeSchema, given, path, notApplied)
    const body = mergeObjects(before ? readTheme(before.body) : {}, members)
    const absent = absentIn(themeSchema, body)
    if (absent.length > 0) notApplied.push(`${path}: needs ${absent.join(', ')}`)
    else if (before)
      await operate(branding.themes.change, { params: { themeId: String(before.body.themeId) }, body }, context)
    else await operate(branding.themes.make, { body }, context)
  },
  shown: ({ body }) => readTheme(body),
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
