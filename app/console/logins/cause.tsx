import { connections } from '../../../lib/management/resources/connections'
import type { Console } from '../../../lib/server/next/console/page'
import { type LoginSubjects, type Remedy, remedyOf } from '../../../lib/server/next/console/remedies'
import { say } from '../../../lib/text/console'
import { Facts } from '../_parts/facts'
import { Marked } from '../_parts/marked'
import { lineWords, type ShownStep } from './step'

type Props = { reason: string | null; step: ShownStep | undefined; subjects: LoginSubjects }

/** What stops a login: what was found, the rule, what to change, and the way to the setting. */
export function Cause({ reason, step, subjects }: Props) {
  const remedy = remedyOf(reason, subjects)
  const found = step?.says ?? reason
  const failed = step?.lines?.filter(({ verdict, says }) => verdict === 'failed' && says && says !== found) ?? []
  return (
    <>
      <Facts
        facts={[
          [say('logins.said'), found],
          ...failed.map(({ name, says }) => [lineWords(name) ?? name, says] as const),
          ...(step?.hint ? [[say('logins.mend'), <Marked key="mend" text={step.hint} />] as const] : []),
          ...(remedy?.member ? [[say('logins.member'), <Setting key="member" {...remedy} />] as const] : []),
          [say('logins.rule'), <code key="rule">{reason}</code>],
        ]}
      />
      <div className="co-row-actions">
        {remedy && <RemedyLink remedy={remedy} />}
        <a className="link" href={`/troubleshooting#${reason ?? ''}`}>
          {say('logins.more')}
        </a>
      </div>
    </>
  )
}

/** By its name in the form, and in the API. */
const Setting = ({ label, member }: Remedy) => (
  <>
    {label} <code>{member}</code>
  </>
)

/** The way to the setting: a document of its own, because a browser marks the target of no other address. */
export const RemedyLink = ({ remedy: { href, kind } }: { remedy: Remedy }) => (
  <a className="co-button co-button-primary" href={href}>
    {say(`logins.mend.${kind}`)}
  </a>
)

export async function connectionIdOf(name: string | null, console: Console): Promise<string | null> {
  if (name === null || !console.may(connections.list)) return null
  const { rows } = await console.list(connections.list, { query: { name } })
  return rows[0]?.id ?? null
}
