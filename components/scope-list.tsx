/**
 * The requested scopes in the user's words.
 *
 * The catalogue has the texts of the standard scopes (OpenID Connect Core 5.4 and 11), which an API's description cannot
 * replace. An API scope without a description is shown by its own name, not hidden.
 */

import type { ScopeView } from '../lib/pages/view'
import type { Translate } from '../lib/text/catalogue'

const STANDARD = ['openid', 'profile', 'email', 'phone', 'address', 'offline_access'] as const
type Standard = (typeof STANDARD)[number]

const isStandard = (value: string): value is Standard => (STANDARD as readonly string[]).includes(value)

type Props = { scopes: readonly ScopeView[]; audienceName: string | undefined; t: Translate }

export function ScopeList({ scopes, audienceName, t }: Props) {
  const profile = STANDARD.filter((name) => scopes.some(({ value }) => value === name))
  const api = scopes.filter(({ value }) => !isStandard(value))
  const apiHeading = audienceName ? t('consent.list_api', { api: audienceName }) : t('consent.list_profile')
  return (
    <div className="scopes">
      {profile.length > 0 && (
        <ScopeGroup heading={t('consent.list_profile')} items={profile.map((name) => [name, t(`scope.${name}`)])} />
      )}
      {api.length > 0 && (
        <ScopeGroup heading={apiHeading} items={api.map(({ value, description }) => [value, description || value])} />
      )}
    </div>
  )
}

function ScopeGroup({ heading, items }: { heading: string; items: readonly (readonly [string, string])[] }) {
  return (
    <div className="flex flex-col gap-2">
      <h2 className="scopes-heading">{heading}</h2>
      <ul className="scopes-list">
        {items.map(([value, text]) => (
          <li key={value} className="scopes-item">
            <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}
