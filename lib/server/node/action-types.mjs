// Writes dist/actions.d.ts, the types of actions for editors, under the names of the vendor's package `@auth0/actions`: a module for each trigger
// and version, with `Event` and the type of `api`. The build of the commands writes it.
// Those of `event` are the server's own (lib/identity/tenant-code/event.ts), those of `api` are in lib/identity/tenant-code/actions/api.d.ts, and the
// vendor's newest version of each trigger is in lib/identity/tenant-code/actions/versions.json.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { inRoot } from './launch/root.mjs'

/** `post-login` → `PostLoginAPI`, the vendor's name of `api`. */
const apiOf = (trigger) => `${trigger.replace(/(?:^|-)(\w)/g, (_, first) => first.toUpperCase())}API`

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

/** The declaration of one type without braces inside. */
const typeIn = (source, name) => new RegExp(`^export type ${name} = \\{[^}]*\\}\\n`, 'm').exec(source)?.[0] ?? ''

/** @returns {Promise<string>} */
export async function actionTypes() {
  const [events, api, profile, geoip, versions] = await Promise.all(
    [
      ...[
        'lib/identity/tenant-code/event.ts',
        'lib/identity/tenant-code/actions/api.d.ts',
        'lib/data/users/profile.ts',
        'lib/identity/tenant-code/geoip.ts',
      ],
      'lib/identity/tenant-code/actions/versions.json',
    ].map(read),
  )
  const others = [typeIn(profile, 'PresentedIdentity'), typeIn(geoip, 'GeoLocation')].map(declarations)
  const json = 'type Json = LatchkeyApi.Json\ntype JsonObject = { [key: string]: Json }'
  const inside = [json, ...others, declarations(events)].join('\n\n').replace(/^(?=.)/gm, '  ')
  const modules = Object.entries(JSON.parse(versions)).flatMap(([trigger, newest]) =>
    Array.from({ length: newest }, (_, index) => moduleOf(trigger, apiOf(trigger), `v${index + 1}`)),
  )
  return [HEAD, `declare namespace LatchkeyEvents {\n${inside}\n}\n`, `${declarations(api)}\n`, ...modules].join('\n')
}

const moduleOf = (trigger, name, version) => `declare module '@auth0/actions/${trigger}/${version}' {
  export type Event = LatchkeyEvents.TriggerEvents['${trigger}'] & {
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
