import type { Metadata } from 'next'
import { userConsents } from '../../../../../lib/management/resources/user-consents'
import { userFactors } from '../../../../../lib/management/resources/user-factors'
import { userIdentities } from '../../../../../lib/management/resources/user-identities'
import { userLogins } from '../../../../../lib/management/resources/user-logins'
import { applicationsOf, devicesOf, nameOfFactor } from '../../../../../lib/server/next/console/person'
import { say } from '../../../../../lib/text/console'
import { PageLink, userPath } from '../../../_parts/links'
import { Moment } from '../../../_parts/moment'
import { OperationForm } from '../../../_parts/operation-form'
import { Panel } from '../../../_parts/panel'
import { Rows } from '../../../_parts/rows'
import { type Person, personPage } from '../person'
import { SignInCheck } from './sign-in-check'

export const metadata: Metadata = { title: say('users.tab.sign_in') }

export default personPage('/sign-in', async (person) => {
  const names = await applicationsOf(person.console)
  const parts = await Promise.all([
    SignInCheck({ person, names }),
    factors(person),
    sessions(person, names),
    tokens(person, names),
    consents(person, names),
  ])
  return (
    <>
      {parts[0]}
      <Identities {...person} />
      {parts.slice(1)}
    </>
  )
})

function Identities({ console, id, user }: Person) {
  const first = user.identities?.[0]
  return (
    <Panel title={say('users.identities')} lead={say('users.identities.lead')}>
      <Rows
        rows={user.identities ?? []}
        id={(identity) => `${identity.provider}|${identity.user_id}`}
        cell={({ connection, provider, user_id }) => (
          <>
            <bdi>{connection}</bdi> <code>{`${provider}|${user_id}`}</code>
          </>
        )}
        action={(identity) =>
          identity !== first &&
          console.may(userIdentities.identitiesUnlink) && (
            <OperationForm
              operation={userIdentities.identitiesUnlink}
              params={{ id, provider: String(identity.provider), user_id: String(identity.user_id) }}
              submitLabel={say('users.unlink')}
              done="done"
              danger
            />
          )
        }
      />
      {console.may(userIdentities.identitiesLink) && (
        <p>
          <PageLink href={`${userPath(id)}/link`} title={say('users.link')} />
        </p>
      )}
    </Panel>
  )
}

async function factors({ console, id }: Person) {
  if (!console.may(userFactors.authenticationMethodsList)) return null
  const found = await console.read(userFactors.authenticationMethodsList, { params: { id } })
  return (
    <Panel key="factors" title={say('users.factors')} lead={say('users.factors.lead')}>
      <Rows
        rows={found}
        id={(factor) => factor.id}
        cell={(factor) => (
          <>
            {nameOfFactor(factor.type)} {'name' in factor && factor.name && <bdi>{String(factor.name)}</bdi>} ·{' '}
            <Moment at={factor.created_at} />
          </>
        )}
        action={(factor) =>
          console.may(userFactors.authenticationMethodsDelete) && (
            <OperationForm
              operation={userFactors.authenticationMethodsDelete}
              params={{ id, authentication_method_id: factor.id }}
              submitLabel={say('form.remove')}
              done="deleted"
            />
          )
        }
      />
    </Panel>
  )
}

async function sessions({ console, id }: Person, names: ReadonlyMap<string, string>) {
  if (!console.may(userLogins.usersSessionsList)) return null
  const { sessions: found } = await console.read(userLogins.usersSessionsList, { params: { user_id: id } })
  const devices = await devicesOf(found.map(({ device }) => device))
  return (
    <Panel key="sessions" title={say('users.sessions')} lead={say('users.sessions.lead')}>
      <Rows
        rows={found.map((session, place) => ({ ...session, where: devices[place] ?? '' }))}
        id={(session) => session.id}
        cell={({ authenticated_at, clients, where }) => (
          <>
            <bdi>{where}</bdi> · <Moment at={authenticated_at} /> ·{' '}
            <bdi>{clients.map(({ client_id }) => names.get(client_id) ?? client_id).join(', ')}</bdi>
          </>
        )}
        action={(session) =>
          console.may(userLogins.sessionsDelete) && (
            <OperationForm
              operation={userLogins.sessionsDelete}
              params={{ id: session.id }}
              submitLabel={say('users.session.end')}
              done="done"
            />
          )
        }
      />
      {console.may(userLogins.usersRevokeAccess) && (
        <OperationForm
          operation={userLogins.usersRevokeAccess}
          params={{ id }}
          submitLabel={say('users.sign_out')}
          done="done"
        />
      )}
    </Panel>
  )
}

async function tokens({ console, id }: Person, names: ReadonlyMap<string, string>) {
  if (!console.may(userLogins.usersRefreshTokensList)) return null
  const { tokens: found } = await console.read(userLogins.usersRefreshTokensList, {
    params: { user_id: id },
    query: { take: '100' },
  })
  return (
    <Panel key="tokens" title={say('users.tokens')} lead={say('users.tokens.lead')}>
      <Rows
        rows={found}
        id={(token) => token.id}
        cell={({ client_id, created_at, last_exchanged_at, resource_servers }) => (
          <>
            <bdi>{names.get(client_id) ?? client_id}</bdi> · <Moment at={last_exchanged_at ?? created_at} />{' '}
            <span className="co-hint">{resource_servers.map(({ audience }) => audience).join(', ')}</span>
          </>
        )}
        action={(token) =>
          console.may(userLogins.refreshTokensDelete) && (
            <OperationForm
              operation={userLogins.refreshTokensDelete}
              params={{ id: token.id }}
              submitLabel={say('users.token.end')}
              done="done"
            />
          )
        }
      />
    </Panel>
  )
}

async function consents({ console, id }: Person, names: ReadonlyMap<string, string>) {
  if (!console.may(userConsents.grantsList)) return null
  const found = await console.read(userConsents.grantsList, { query: { user_id: id, per_page: '100' } })
  return (
    <Panel key="consents" title={say('users.consents')} lead={say('users.consents.lead')}>
      <Rows
        rows={found}
        id={(grant) => String(grant.id)}
        cell={({ clientID, audience, scope }) => (
          <>
            <bdi>{names.get(clientID) ?? clientID}</bdi> · <bdi>{audience}</bdi>{' '}
            <span className="co-hint">{scope.join(', ')}</span>
          </>
        )}
        action={(grant) =>
          console.may(userConsents.grantsDelete) && (
            <OperationForm
              operation={userConsents.grantsDelete}
              params={{ id: String(grant.id) }}
              submitLabel={say('users.consent.revoke')}
              done="deleted"
            />
          )
        }
      />
    </Panel>
  )
}
