// What a page of one person says in words: devices, factors, and the names of applications.

import { mapBounded } from '../../../kernel/map-bounded.mjs'
import { browserOf } from '../../../kernel/user-agent'
import { clients } from '../../../management/resources/clients'
import { isConsoleKey, say } from '../../../text/console'
import type { Console } from './page'
import { requireSession } from './session'

type Device = { initial_user_agent?: string | undefined; initial_ip?: string | undefined }

/** "Firefox on Linux, Berlin, 198.51.100.7": the place where there is a database of places. */
export async function devicesOf(devices: readonly Device[]): Promise<string[]> {
  const { runtime } = await requireSession()
  return mapBounded(devices, async ({ initial_user_agent: agent, initial_ip: ip }) => {
    const { browser, system } = await browserOf(agent ?? null)
    const named = [browser, system].filter((each) => each !== undefined).join(say('users.device.on'))
    const place = ip === undefined ? undefined : runtime.placeOf?.(ip)
    const where = [place?.cityName, place?.countryName].filter(Boolean).join(', ')
    return [named || say('users.device.unknown'), where, ip].filter(Boolean).join(' · ')
  })
}

const MAX_APPLICATIONS = '100'

/** Names by id; empty for a role that reads no applications. */
export async function applicationsOf(console: Console): Promise<ReadonlyMap<string, string>> {
  if (!console.may(clients.list)) return new Map()
  const found = await console.read(clients.list, { query: { per_page: MAX_APPLICATIONS, fields: 'client_id,name' } })
  return new Map(found.map(({ client_id: id, name }) => [String(id), String(name)]))
}

export function nameOfFactor(type: string): string {
  const key = `users.factor.${type}`
  return isConsoleKey(key) ? say(key) : type
}
