// Branding: logo and colours of the pages and mails, themes, and the page template.
// - A theme is shown complete: the vendor's tools refuse one that lacks a member.
// - There are no page templates: the template of a foreign page could read what people type (threat-model.md).
import * as z from 'zod'
import { brandingSection } from '../../data/tenants/settings'
import { readTheme, themeSchema } from '../../data/tenants/theme'
import type { JsonObject } from '../../kernel/json'
import { alphanumeric, type Random } from '../../kernel/random'
import type { DocumentDeps } from '../operations/documents'
import { unknownMembers } from '../operations/effects'
import { conflict, inexistent, invalidBody } from '../operations/errors'
import { checkUnchanged } from '../operations/etag'
import { emptyAnswer, operationsWith } from '../operations/operation'
import { defineSingleton, type SingletonDeps } from '../operations/singleton'

export type BrandingDeps = SingletonDeps & DocumentDeps & { random: Random }

const settings = defineSingleton({
  name: 'branding',
  example: { logo_url: 'https://shop.example/logo.png', colors: { primary: '#1d5445' } },
  title: 'branding',
  path: '/branding',
  scope: 'branding',
  at: ['branding'],
  schema: brandingSection,
  deep: ['colors', 'font'],
})

const operation = operationsWith<BrandingDeps>()

/** A tenant has one theme at most, as at the vendor. */
export const THEME = 'theme'
export const THEME_ID = 'default'

/** Its id is the server's choice: one that a body repeats changes nothing. */
const newTheme = themeSchema.extend({ themeId: z.unknown().optional() })
const themeChange = newTheme.partial()

const shown = themeSchema.extend({ themeId: z.string() }).meta({ id: 'Theme' })

/** The theme as it is shown. */
const shownTheme = (stored: JsonObject) => ({
  ...readTheme(stored),
  themeId: String(stored.themeId),
})

const notApplied = (shown: JsonObject): string[] => unknownMembers(newTheme, shown)

async function theme(themeId: string | undefined, { documents }: BrandingDeps): Promise<JsonObject> {
  const found = await documents.find(THEME, THEME_ID)
  if (!found || (themeId !== undefined && found.themeId !== themeId)) throw inexistent('theme')
  return shownTheme(found)
}

const EXAMPLE = readTheme({ displayName: 'Shop', colors: { primary_button: '#1d5445' } })

const themes = {
  make: operation({
    name: 'branding_themes.make',
    example: EXAMPLE,
    notApplied,
    method: 'POST',
    path: '/branding/themes',
    summary: 'Create the theme',
    scopes: ['update:branding'],
    target: 'tenant',
    body: newTheme,
    status: 201,
    answer: shown,
    async handle({ body, deps }) {
      const made = shownTheme({ ...body, themeId: alphanumeric(deps.random, 32) })
      await deps.documents.change(
        THEME,
        THEME_ID,
        (before) => {
          if (before) throw conflict('A theme already exists.', 'theme_already_exists')
          return made
        },
        deps.clock.now(),
      )
      return { body: made, before: {}, after: made, id: made.themeId }
    },
  }),
  default: operation({
    name: 'branding_themes.default',
    method: 'GET',
    path: '/branding/themes/default',
    summary: 'Read the default theme',
    scopes: ['read:branding'],
    notApplied,
    status: 200,
    answer: shown,
    handle: async ({ deps }) => ({ body: await theme(undefined, deps) }),
  }),
  read: operation({
    name: 'branding_themes.read',
    method: 'GET',
    path: '/branding/themes/:themeId',
    summary: 'Read a theme',
    scopes: ['read:branding'],
    notApplied,
    status: 200,
    tagged: true,
    answer: shown,
    handle: async ({ params, deps }) => ({ body: await theme(params.themeId, deps) }),
  }),
  change: operation({
    name: 'branding_themes.change',
    example: { displayName: 'Shop in spring', colors: { ...EXAMPLE.colors, primary_button: '#2f7d4f' } },
    notApplied,
    examplePath: { themeId: '<theme>' },
    method: 'PATCH',
    path: '/branding/themes/:themeId',
    summary: 'Change a theme',
    scopes: ['update:branding'],
    target: 'tenant',
    body: themeChange,
    status: 200,
    tagged: true,
    answer: shown,
    async handle({ params, body, ifMatch, deps }) {
      const alter = (before: JsonObject | null): JsonObject => {
        if (!before || before.themeId !== params.themeId) throw inexistent('theme')
        const shown = shownTheme(before)
        checkUnchanged(ifMatch, shown)
        return { ...shown, ...body, themeId: shown.themeId }
      }
      const { before, after } = await deps.documents.change(THEME, THEME_ID, alter, deps.clock.now())
      return { body: after, before: before ? shownTheme(before) : {}, after: after ?? {} }
    },
  }),
  remove: operation({
    name: 'branding_themes.remove',
    method: 'DELETE',
    path: '/branding/themes/:themeId',
    summary: 'Delete a theme',
    scopes: ['delete:branding'],
    target: 'tenant',
    status: 204,
    async handle({ params, deps }) {
      const alter = (before: JsonObject | null) => (before?.themeId === params.themeId ? null : before)
      const { before, after } = await deps.documents.change(THEME, THEME_ID, alter, deps.clock.now())
      return before && !after ? { before, after: {} } : {}
    },
  }),
}

const TEMPLATE = '/branding/templates/universal-login'

const pageTemplate = {
  read: operation({
    name: 'branding_template.read',
    method: 'GET',
    path: TEMPLATE,
    summary: 'Read the page template: there is none here',
    scopes: ['read:branding'],
    status: 200,
    answer: emptyAnswer,
    handle() {
      throw inexistent('template')
    },
  }),
  replace: operation({
    name: 'branding_template.replace',
    method: 'PUT',
    path: TEMPLATE,
    summary: 'Refused: pages have no template here',
    scopes: ['update:branding'],
    target: 'tenant',
    status: 200,
    answer: emptyAnswer,
    handle() {
      throw invalidBody('Pages have no template here. Their design is in the branding')
    },
  }),
  remove: operation({
    name: 'branding_template.remove',
    method: 'DELETE',
    path: TEMPLATE,
    summary: 'Delete the page template: there is none here',
    scopes: ['delete:branding'],
    target: 'tenant',
    status: 204,
    audited: false,
    handle: () => ({}),
  }),
}

export const branding = { ...settings, themes, pageTemplate }
