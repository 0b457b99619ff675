// Where something happened, as every page of the portal says it: browser, system and network address.
import { browserOf } from '../../kernel/user-agent'
import type { WhereView } from '../../pages/view'

export async function whereOf(userAgent: unknown, ip: unknown): Promise<WhereView> {
  const named = await browserOf(text(userAgent))
  const address = text(ip)
  return address === null ? named : { ...named, ip: address }
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
