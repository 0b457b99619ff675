// What the pages of an application show of its settings.
import { samlSettings } from '../../../data/clients/saml'
import { wsfedSettings } from '../../../data/clients/wsfed'
import { grantTypes } from '../../../protocols/oauth/grants'
import { isConsoleKey, say } from '../../../text/console'
import type { Field } from './field'

/** The groups of settings of each page, in their order. */
export const APPLICATION_PAGES = {
  '': ['basics', 'addresses', 'login', 'tokens', 'logout', 'mobile', 'metadata'],
  credentials: ['credentials', 'requests'],
  access: [],
  logins: [],
  protocols: [
    ...['saml', 'saml_attributes', 'saml_signatures', 'saml_logout'],
    ...['wsfed', 'wsfed_attributes', 'wsfed_signatures'],
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type ApplicationPageName = keyof typeof APPLICATION_PAGES

/** The grants by name. `implicit` stands for tokens in the answer to /authorize. */
export const grantChoices = (vendorHost: string): Field['options'] =>
  [...grantTypes(vendorHost), 'implicit'].map((value) => {
    const key = `applications.grant.${value.split(/[/:]/).at(-1)}`
    return { value, label: isConsoleKey(key) ? say(key) : value }
  })

type Addons = { addons?: { samlp?: object; wsfed?: object } }

/** With the defaults of both protocols in place of what is not set, because a switch shows what counts. */
export const withDefaults = <Application extends Addons>(application: Application): Application => ({
  ...application,
  addons: {
    ...application.addons,
    samlp: samlSettings.parse(application.addons?.samlp ?? {}),
    wsfed: wsfedSettings.parse(application.addons?.wsfed ?? {}),
  },
})
