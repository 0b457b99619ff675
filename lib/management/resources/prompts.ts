// Prompts: how the login begins, and texts of the pages by prompt and language.
// - A text takes effect where a page here has such a text (lib/text/prompts.ts); any other is kept, shown again and reported.
// - There are no partials: they would put foreign scripts on the pages.
import * as z from 'zod'
import { promptsSection } from '../../data/tenants/settings'
import type { JsonObject } from '../../kernel/json'
import { openObject } from '../../kernel/schema'
import type { DocumentDeps } from '../operations/documents'
import { inexistent, invalidBody } from '../operations/errors'
import { emptyAnswer, operationsWith } from '../operations/operation'
import { defineSingleton, type SingletonDeps } from '../operations/singleton'

export type PromptDeps = SingletonDeps &
  DocumentDeps & {
    /** The paths of the texts that no page shows. */
    unusedTexts(prompt: string, language: string, texts: JsonObject): string[]
  }

/** The vendor's prompts. */
export const PROMPTS = new Set(
  [
    'login login-id login-password login-passwordless login-email-verification signup signup-id signup-password',
    'phone-identifier-enrollment phone-identifier-challenge email-identifier-challenge reset-password custom-form consent',
    'customized-consent logout mfa-push mfa-otp mfa-voice mfa-phone mfa-webauthn mfa-sms mfa-email mfa-recovery-code mfa',
    'status device-flow email-verification email-otp-challenge organizations invitation common passkeys captcha',
    'brute-force-protection async-approval-flow confirmation',
  ].flatMap((line) => line.split(' ')),
)
export const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$/

/** There is one experience. Passkeys are offered where a database enables them, whatever the prompts say. */
const ALWAYS = { universal_login_experience: 'new', webauthn_platform_first_factor: false }

const settings = defineSingleton({
  name: 'prompts',
  title: 'settings of the prompts',
  path: '/prompts',
  scope: 'prompts',
  at: ['prompts'],
  example: { universal_login_experience: 'new', identifier_first: true },
  schema: promptsSection,
  body: openObject({
    universal_login_experience: z.enum(['new', 'classic']).optional(),
    identifier_first: z.boolean().optional(),
    webauthn_platform_first_factor: z.boolean().optional(),
  }),
  always: ALWAYS,
  answer: promptsSection.extend({
    universal_login_experience: z.enum(['new', 'classic']),
    webauthn_platform_first_factor: z.boolean(),
  }),
  present: (members) => ({ ...ALWAYS, ...members }),
})

const operation = operationsWith<PromptDeps>()
export const CUSTOM_TEXT = 'custom-text'
const TEXT = '/prompts/:prompt/custom-text/:language'
const text = z.string().max(4000)
const MAX_TEXTS = 500
export const promptTexts = z
  .record(z.string().max(100), z.record(z.string().max(200), text))
  .refine((screens) => Object.values(screens).flatMap(Object.keys).length <= MAX_TEXTS, 'has too many texts')

function textId({ prompt = '', language = '' }: Readonly<Record<string, string>>): string {
  if (!PROMPTS.has(prompt) || !LANGUAGE.test(language)) throw inexistent('prompt')
  return `${prompt}/${language}`
}

const customTexts = {
  customTextRead: operation({
    name: 'prompts.custom_text.read',
    method: 'GET',
    path: TEXT,
    summary: 'Read the texts of a prompt',
    scopes: ['read:prompts'],
    status: 200,
    answer: promptTexts,
    async handle({ params, deps }) {
      return { body: (await deps.documents.find(CUSTOM_TEXT, textId(params))) ?? {} }
    },
  }),
  customTextReplace: operation({
    name: 'prompts.custom_text.replace',
    example: { login: { title: 'Welcome' } },
    examplePath: { prompt: 'login', language: 'en' },
    method: 'PUT',
    path: TEXT,
    summary: 'Replace the texts of a prompt',
    scopes: ['update:prompts'],
    target: 'tenant',
    body: promptTexts,
    status: 200,
    answer: promptTexts,
    notApplied: (texts, { prompt = '', language = '' }, deps) => deps.unusedTexts(prompt, language, texts),
    async handle({ params, body, deps }) {
      const given = Object.keys(body).length === 0 ? null : body
      const { before } = await deps.documents.change(CUSTOM_TEXT, textId(params), () => given, deps.clock.now())
      return { body, before: before ?? {}, after: body }
    },
  }),
}

const PARTIALS = '/prompts/:prompt/partials'

const known = ({ prompt = '' }: Readonly<Record<string, string>>): void => {
  if (!PROMPTS.has(prompt)) throw inexistent('prompt')
}

const partials = {
  partialsRead: operation({
    name: 'prompts.partials.read',
    method: 'GET',
    path: PARTIALS,
    summary: 'Read the partials of a prompt: none here',
    scopes: ['read:prompts'],
    status: 200,
    answer: emptyAnswer,
    handle({ params }) {
      known(params)
      return { body: {} }
    },
  }),
  partialsReplace: operation({
    name: 'prompts.partials.replace',
    example: {},
    examplePath: { prompt: 'login' },
    method: 'PUT',
    path: PARTIALS,
    summary: 'Replace the partials of a prompt: only by nothing',
    scopes: ['update:prompts'],
    target: 'tenant',
    body: z.record(z.string(), z.json()),
    status: 200,
    answer: emptyAnswer,
    audited: false,
    handle({ params, body }) {
      known(params)
      if (Object.keys(body).length > 0) throw invalidBody('Pages have no partials here')
      return { body: {} }
    },
  }),
}

export const prompts = { settings, ...customTexts, ...partials }
