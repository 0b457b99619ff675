import type { Metadata } from 'next'
import type { AnswerOf } from '../../../../lib/management/console-call'
import { signingKeys } from '../../../../lib/management/resources/signing-keys'
import { say } from '../../../../lib/text/console'
import { Badge } from '../../_parts/badge'
import { CopyableId } from '../../_parts/copy'
import { Moment } from '../../_parts/moment'
import { OperationForm } from '../../_parts/operation-form'
import { consolePage } from '../../_parts/page'
import { Panel } from '../../_parts/panel'
import { Rows } from '../../_parts/rows'
import { TabbedHead } from '../../_parts/tabs'
import { SECURITY } from '../tabs'

export const metadata: Metadata = { title: say('security.keys') }

type Key = AnswerOf<typeof signingKeys.list>[number]

const STATES = ['current', 'next', 'previous', 'revoked'] as const

const stateOf = (key: Key) => STATES.find((state) => key[state]) ?? 'revoked'

const CONFIRM_LENGTH = 6

export default consolePage(async ({ console }) => {
  const found = await console.read(signingKeys.list)
  const keys = found.toSorted((a, b) => STATES.indexOf(stateOf(a)) - STATES.indexOf(stateOf(b)))
  return (
    <>
      <TabbedHead {...SECURITY} console={console} path="/console/security/keys" />
      <Panel title={say('security.keys')} lead={say('security.keys.lead')}>
        <Rows
          rows={keys}
          id={({ kid }) => kid}
          cell={(key) => (
            <div className="co-form">
              <div>
                <Badge danger={key.revoked}>{say(`security.key.${stateOf(key)}`)}</Badge>{' '}
                <span className="co-hint">
                  {key.alg} <When {...key} />
                </span>
              </div>
              <CopyableId value={key.kid} />
              <details>
                <summary className="co-summary">{say('security.key.certificate')}</summary>
                <pre className="co-raw">{`${key.fingerprint}\n\n${key.cert}`}</pre>
              </details>
            </div>
          )}
        />
      </Panel>
      {console.may(signingKeys.rotate) && (
        <Panel title={say('security.rotate')} lead={say('security.rotate.lead')}>
          <OperationForm operation={signingKeys.rotate} submitLabel={say('security.rotate')} done="done" />
        </Panel>
      )}
      {console.may(signingKeys.revoke) && (
        <Panel title={say('security.revoke')} lead={say('security.revoke.lead')} danger>
          {keys
            .filter(({ revoked }) => !revoked)
            .map((key) => (
              <details key={key.kid}>
                <summary className="co-summary">
                  {say('security.revoke.one', { kid: key.kid, state: say(`security.key.${stateOf(key)}`) })}
                </summary>
                <OperationForm
                  operation={signingKeys.revoke}
                  params={{ kid: key.kid }}
                  submitLabel={say('security.revoke.do')}
                  confirm={key.kid.slice(0, CONFIRM_LENGTH)}
                  done="done"
                  danger
                />
              </details>
            ))}
        </Panel>
      )}
    </>
  )
})

function When({ revoked_at, current_until, current_since }: Key) {
  if (revoked_at) return <Moment at={revoked_at} />
  if (current_until)
    return (
      <>
        {say('security.key.until')} <Moment at={current_until} />
      </>
    )
  if (!current_since) return null
  return (
    <>
      {say('security.key.since')} <Moment at={current_since} />
    </>
  )
}
