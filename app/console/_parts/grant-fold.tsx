import type { AnswerOf } from '../../../lib/management/console-call'
import { clientGrants } from '../../../lib/management/resources/client-grants'
import type { resourceServers } from '../../../lib/management/resources/resource-servers'
import { valueLabel } from '../../../lib/server/next/console/form'
import { say } from '../../../lib/text/console'
import { Badge } from './badge'
import { SettingsForm } from './settings-form'

type Props = {
  title: string
  grant: AnswerOf<typeof clientGrants.list>[number]
  /** Whose permissions are ticked; undefined where the person may not read it. */
  api: AnswerOf<typeof resourceServers.read> | undefined
  mayChange: boolean
}

const ORGANIZATION_USE = ['organization_usage', 'allow_any_organization']

/** What an application may do at an API. */
export function GrantFold({ title, grant, api, mayChange }: Props) {
  const { id, subject_type, scope } = grant
  return (
    <details className="co-fold">
      <summary>
        <bdi>{title}</bdi> <Badge>{valueLabel(clientGrants.create, 'subject_type', subject_type)}</Badge>{' '}
        <span className="co-hint">{say('applications.grants.scopes', { count: String(scope.length) })}</span>
      </summary>
      <SettingsForm
        operation={clientGrants.update}
        params={{ id }}
        members={['scope', ...(subject_type === 'client' ? ORGANIZATION_USE : [])]}
        value={grant}
        choices={{
          scope: (api?.scopes ?? []).map(({ value, description }) => ({
            value,
            label: description ? `${value}: ${description}` : value,
          })),
        }}
        allowed={mayChange}
      />
    </details>
  )
}
