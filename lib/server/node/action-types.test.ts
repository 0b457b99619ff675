// The types of actions for editors: they are those of the server, no more and no less, and compile with an action.
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TRIGGERS } from '../../data/tenants/triggers'
import { methodNames } from '../../identity/tenant-code/actions/methods'
import { SAMPLES } from '../../identity/tenant-code/actions/samples'
import { actionTypes, writeActionTypes } from './action-types.mjs'
import { actions } from './commands/actions'

let folder = ''
let types = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-types-'))
  types = await actionTypes()
  await writeFile(join(folder, 'actions.d.ts'), types)
})
afterAll(() => rm(folder, { recursive: true }))

/** What the compiler reports of the files. */
async function compiled(files: Record<string, string>): Promise<string[]> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const options = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022'],
    types: [],
    checkJs: true,
    skipLibCheck: false,
  }
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['actions.d.ts', ...Object.keys(files)] }),
  )
  const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc')
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, '--pretty', 'false', '-p', folder], {
    encoding: 'utf8',
  })
  const lines = `${stdout}${stderr}`.split('\n').filter((line) => line !== '')
  return status === 0 || lines.length > 0 ? lines : [`status ${status}`]
}

const moduleOf = (trigger: string): RegExpMatchArray | null =>
  [...types.matchAll(/declare module '(@auth0\/actions\/([\w-]+)\/v\d)' \{[\s\S]*?export type (\w+API) =/g)].findLast(
    ([, , of]) => of === trigger,
  ) ?? null

describe('the types of actions', () => {
  it('are printed by a command', async () => {
    await writeActionTypes()
    const lines: string[] = []
    await actions(['types'], { root: process.cwd(), source: {}, say: (line) => lines.push(line) })
    expect(lines).toEqual([types])
  })

  it('have each trigger with its methods, no more and no less, and the members of its event', async () => {
    const files = TRIGGERS.map((trigger, index) => {
      const [, path, , api] = moduleOf(trigger) ?? []
      const methods = Object.fromEntries(methodNames(trigger).map((name) => [name, true]))
      const text = `import type { Event, ${api} } from '${path}'
        type Names<T> = { [S in keyof T & string]: { [M in keyof T[S] & string]: \`\${S}.\${M}\` }[keyof T[S] & string] }[keyof T & string]
        export const methods: Record<Names<${api}>, true> = ${JSON.stringify(methods)}
        export const event: Omit<Event, 'secrets' | 'configuration'> = ${JSON.stringify(SAMPLES[trigger])}`
      return [`trigger-${index}.mts`, text]
    })
    expect(await compiled(Object.fromEntries(files))).toEqual([])
  })

  it('compile with an action, and find its mistakes', async () => {
    const action = (body: string) => `/** @import { Event, PostLoginAPI } from '@auth0/actions/post-login/v3' */
      /** @param {Event} event @param {PostLoginAPI} api */
      exports.onExecutePostLogin = async (event, api) => {
        ${body}
      }`
    const node = 'declare const exports: Record<string, unknown>'
    const good = `const { plan = 'none' } = event.user.app_metadata
      const seen = api.cache.get('seen')?.value ?? event.secrets.KEY
      if (event.transaction?.requested_scopes.includes('all')) api.access.deny('no').validation.error('a', 'b')
      api.idToken.setCustomClaim('https://a.test/plan', plan).samlResponse.setAttribute('seen', seen)`
    expect(await compiled({ 'node.d.ts': node, 'good.cjs': action(good) })).toEqual([])
    const bad = 'api.access.refuse()\nevent.user.password\napi.idToken.setCustomClaim(1, 2)'
    expect(await compiled({ 'node.d.ts': node, 'bad.cjs': action(bad) })).toEqual([
      expect.stringContaining("Property 'refuse' does not exist"),
      expect.stringContaining("Property 'password' does not exist"),
      expect.stringContaining("Argument of type 'number' is not assignable"),
    ])
  })
})
