// Writes dist/actions.d.ts, the types of actions for editors, under the names of the vendor's package `@auth0/actions`: a module for each trigger
// and version, with `Event` and the type of `api`. The build of the commands writes it.
// Those of `event` are the server's own (lib/rules/event.ts), those of `api` are in lib/rules/actions/api.d.ts.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { inRoot } from './launch/root.mjs'

/** The vendor's name of `api`, and its versions of the trigger. */
const TRIGGERS = {
  'post-login': ['PostLoginAPI', 3],
  'credentials-exchange': ['CredentialsExchangeAPI', 2],
  'custom-token-exchange': ['CustomTokenExchangeAPI', 1],
  'pre-user-registration': ['PreUserRegistrationAPI', 2],
  'post-user-registration': ['PostUserRegistrationAPI', 2],
  'password-reset-post-challenge': ['PasswordResetPostChallengeAPI', 1],
  'post-change-password': ['PostChangePasswordAPI', 2],
  'send-phone-message': ['SendPhoneMessageAPI', 2],
  'custom-phone-provider': ['CustomPhoneProviderAPI', 1],
  'custom-email-provider': ['CustomEmailProviderAPI', 1],
}

const HEAD = `// Types of actions. In an action:
//   /** @import { Event, PostLoginAPI } from '@auth0/actions/post-login/v3' */
//   /** @param {Event} event @param {PostLoginAPI} api */
`

const read = (path) => readFile(inRoot(path), 'utf8')

/** The declarations of a source without its imports. */
const declarations = (source) =>
  source
    .replace(/^\/\/.*\n/gm, '')
    .replace(/^import .*\n/gm, '')
    .replace(/^export type /gm, 'type ')
    .trim()

/** @returns {Promise<string>} */
export async function actionTypes() {
  const [events, api, profile] = await Promise.all(
    ['lib/rules/event.ts', 'lib/rules/actions/api.d.ts', 'lib/users/profile.ts'].map(read),
  )
  const [identity = ''] = /^export type PresentedIdentity = \{[^}]*\}\n/m.exec(profile) ?? []
  const json = 'type Json = LatchkeyApi.Json\ntype JsonObject = { [key: string]: Json }'
  const inside = [json, declarations(identity), declarations(events)].join('\n\n').replace(/^(?=.)/gm, '  ')
  const modules = Object.entries(TRIGGERS).flatMap(([trigger, [name, newest]]) =>
    Array.from({ length: newest }, (_, index) => moduleOf(trigger, name, `v${index + 1}`)),
  )
  return [HEAD, `declare namespace LatchkeyEvents {\n${inside}\n}\n`, `${declarations(api)}\n`, ...modules].join('\n')
}

const moduleOf = (trigger, name, version) => `declare module '@auth0/actions/${trigger}/${version}' {
  export type Event = LatchkeyEvents.RuleEvents['${trigger}'] & {
    secrets: { [name: string]: string }
    configuration: { [name: string]: string }
  }
  export type ${name} = LatchkeyApi.${name}
  export type CacheAPI = LatchkeyApi.CacheAPI
}
`

export async function writeActionTypes() {
  const draft = inRoot('dist', `actions.${process.pid}.d.ts`)
  await mkdir(inRoot('dist'), { recursive: true })
  await writeFile(draft, await actionTypes())
  await rename(draft, inRoot('dist', 'actions.d.ts'))
}
