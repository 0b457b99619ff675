// The address of each screen of a login.
import type { Parameters } from '../../kernel/parameters'
import { type LoginScreen, screenPath } from '../../pages/screens'
import type { NoticeCode } from '../../pages/view'
import type { LoginDeps } from '../deps'
import type { RecalledFor } from '../transaction'
import type { VisitorResponse } from '../visitor-response'

/** In the URL of a login's first page and its forms; later URLs of the login are without it (open.ts). */
export const FRESH = 'fresh=1'

/** The purpose, if a URL with these parameters may read the transaction as it started from the cache. */
export const freshFor = ({ fresh }: Parameters, purpose: RecalledFor): RecalledFor | null =>
  fresh === '1' ? purpose : null

export function screenUrl(screen: LoginScreen, handle: string, notice?: NoticeCode): string {
  const query = `state=${encodeURIComponent(handle)}`
  return `${screenPath(screen)}?${query}${notice === undefined ? '' : `&notice=${notice}`}`
}

/** The redirect to a screen after a step of the login. */
export const showScreen = (
  screen: LoginScreen,
  handle: string,
  { baseUrl }: Pick<LoginDeps, 'baseUrl'>,
  notice?: NoticeCode,
): VisitorResponse => ({ kind: 'see-other', to: baseUrl + screenUrl(screen, handle, notice) })

export const firstUrl = (screen: LoginScreen, handle: string): string => `${screenUrl(screen, handle)}&${FRESH}`
