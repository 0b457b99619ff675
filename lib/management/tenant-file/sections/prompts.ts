// `prompts`: how the login begins, and the texts of the pages by language and prompt. Texts merge; an empty one is not given.
import * as z from 'zod'
import { promptsSection } from '../../../data/tenants/settings'
import { isJsonObject, type Json, type JsonObject, mergeObjects, objectIn } from '../../../kernel/json'
import { CUSTOM_TEXT, LANGUAGE, PROMPTS, promptTexts, prompts as resource } from '../../resources/prompts'
import type { PlanContext, Section } from '../context'
import { sorted } from '../fields'
import type { Configuration, DocumentRow } from '../model'
import { operate } from '../working-copy'
import { documentsOf } from './documents'
import { type ObjectKind, planObject } from './objects'
import { changedBy, settingsSection } from './settings'

const NAME = 'prompts'

/** What the pages do here whatever a file says; another value is reported. */
const FIXED: JsonObject = {
  universal_login_experience: 'new',
  webauthn_platform_first_factor: false,
}

const settings = settingsSection({ name: NAME, fields: promptsSection, operate: changedBy(resource.settings.update) })

export const prompts: Section = {
  name: NAME,
  async plan(given, context) {
    if (!isJsonObject(given)) return settings.plan(given, context)
    const { customText, ...rest } = given
    const isFixed = (name: string, value: Json): boolean =>
      !Object.hasOwn(promptsSection.shape, name) && (FIXED[name] === value || isEmpty(value))
    await settings.plan(
      Object.fromEntries(Object.entries(rest).filter(([name, value]) => !isFixed(name, value))),
      context,
    )
    if (customText !== undefined && customText !== null) await planTexts(customText, context)
  },
  export(stored, users, vault) {
    const own = settings.export(stored, users, vault)
    const customText = textsIn(stored)
    const hasTexts = Object.keys(customText).length > 0
    return own === undefined && !hasTexts
      ? undefined
      : { ...(isJsonObject(own) ? own : {}), ...(hasTexts ? { customText } : {}) }
  },
}

const isEmpty = (value: Json): boolean => typeof value === 'object' && Object.keys(value ?? {}).length === 0

async function planTexts(given: Json, context: PlanContext): Promise<void> {
  for (const [language, path, prompts] of membersOf(given, `${NAME}.customText`, context)) {
    for (const [prompt, place, texts] of membersOf(prompts, path, context)) {
      if (LANGUAGE.test(language) && PROMPTS.has(prompt))
        await planObject(textKind, { prompt, language, texts: withoutEmpty(texts) }, place, context)
      else context.notApplied.push(place)
    }
  }
}

function membersOf(value: Json, path: string, { problems }: PlanContext): [string, string, Json][] {
  if (isJsonObject(value)) return Object.entries(value).map(([name, inner]) => [name, `${path}.${name}`, inner])
  problems.push({ path, reason: 'must be a map of fields' })
  return []
}

const textKind: ObjectKind<DocumentRow> = {
  section: NAME,
  fields: z.object({ prompt: z.string(), language: z.string(), texts: promptTexts }),
  all: documentsOf(CUSTOM_TEXT),
  isNamed:
    ({ prompt, language }) =>
    ({ id }) =>
      id === `${prompt}/${language}`,
  async operate({ prompt, language, texts }, before, path, context) {
    const params = { prompt: String(prompt), language: String(language) }
    const given = objectIn(texts)
    context.notApplied.push(
      ...context.unusedTexts(params.prompt, params.language, given).map((key) => `${path}.${key}`),
    )
    const body = mergeObjects(before?.body ?? {}, given)
    if (Object.keys(body).length > 0) await operate(resource.customTextReplace, { params, body }, context)
  },
  name: ({ id }) => id,
  shown: ({ body }) => body,
}

const withoutEmpty = (texts: Json): Json =>
  isJsonObject(texts)
    ? Object.fromEntries(
        Object.entries(texts).flatMap(([name, value]) =>
          value === null || value === '' ? [] : [[name, withoutEmpty(value)]],
        ),
      )
    : texts

/** By language, then prompt. */
const textsIn = ({ documents }: Configuration): JsonObject =>
  sorted(
    documents
      .filter(({ kind }) => kind === CUSTOM_TEXT)
      .reduce<JsonObject>((all, { id, body }) => {
        const [prompt = '', language = ''] = id.split('/')
        return mergeObjects(all, { [language]: { [prompt]: body } })
      }, {}),
  )
