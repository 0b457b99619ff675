// A browser tab that refreshes (threat-model.md RE2): whatever happens to a refresh, a retry with the same token within the
// leeway continues the family. Two concurrent refreshes get the same successor.
import { performance } from 'node:perf_hooks'
import { createBrowser } from '../../lib/browser.mjs'
import { API } from '../../lib/definition.mjs'
import { refresh, signIn } from '../../lib/oauth.mjs'
import { persist, repeat } from './persist.mjs'

const PAUSE_MS = 40
const TWICE_EVERY = 8

export async function refreshing(setting) {
  const { side, journal, promises, keys, person } = setting
  const http = setting.sender('refresh')
  const begin = () => persist(() => signIn(side, http, createBrowser(http), person, API))
  const family = { token: (await begin()).refresh_token, spent: [] }
  promises.families.push(family)

  const ask = () => persist(() => refresh(side, http, family.token))
  await repeat(setting, 'refresh', PAUSE_MS, async (number) => {
    const answers = await Promise.all(number % TWICE_EVERY === 0 ? [ask(), ask()] : [ask()])
    const successors = new Set(answers.map(({ refresh_token }) => refresh_token))
    if (successors.size > 1) journal.breach('a refresh token that was sent twice at once brought two successors')
    if (successors.has(family.token)) journal.breach('a refresh token was not rotated')
    family.spent.push({ token: family.token, at: performance.now() })
    family.token = answers[0].refresh_token
    await keys.check(answers[0].id_token)
  })
}
