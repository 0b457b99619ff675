import type { Metadata } from 'next'
import { guardian } from '../../../../lib/management/resources/guardian'
import type { Console } from '../../../../lib/server/next/console/page'
import { type ConsoleKey, isConsoleKey, say } from '../../../../lib/text/console'
import { Badge } from '../../_parts/badge'
import { OperationForm } from '../../_parts/operation-form'
import { consolePage } from '../../_parts/page'
import { Panel } from '../../_parts/panel'
import { Rows } from '../../_parts/rows'
import { SettingsOfSeveral, settingsPart } from '../../_parts/settings-panels'
import { Notice } from '../../_parts/states'
import { TabbedHead } from '../../_parts/tabs'
import { SECURITY } from '../tabs'

export const metadata: Metadata = { title: say('security.factors') }

/** From the strictest: of several in use, the first one holds. */
const POLICIES = [
  { key: 'always', policies: ['all-applications'] },
  { key: 'risky', policies: ['confidence-score'] },
  { key: 'enrolled', policies: ['enrolled'] },
  { key: 'never', policies: [] },
] as const

/** The members of each have its name as their group. */
const DETAILS = Object.values({
  messages: guardian.messageTypes,
  security_keys: guardian.webauthnRoaming,
})

type NameIn<Key> = Key extends `security.factor.${infer Name}.lead` ? Name : never
type FactorName = NameIn<ConsoleKey>

const FIRST: readonly FactorName[] = ['otp', 'push-notification', 'webauthn-roaming', 'webauthn-platform']

/** What the console has no words for does not exist here. The others follow as the API lists them. */
const isOther = (name: string): name is FactorName =>
  !FIRST.some((each) => each === name) && isConsoleKey(`security.factor.${name}.lead`)

export default consolePage(async ({ console }) => {
  const factors = await console.read(guardian.factorsList)
  const names = [...FIRST, ...factors.map(({ name }) => name).filter(isOther)]
  const enabled = new Set<string>(factors.filter((factor) => factor.enabled).map(({ name }) => name))
  const [policies, ...details] = await Promise.all([
    policy(console),
    ...DETAILS.map((each) => settingsPart(each, 'security', console)),
  ])
  const isOffered = names.some((name) => name !== 'recovery-code' && enabled.has(name))
  return (
    <>
      <TabbedHead {...SECURITY} console={console} path="/console/security/factors" />
      {!isOffered && <Notice>{say('security.factors.none')}</Notice>}
      {policies}
      <Panel id="factors" title={say('security.factors')} lead={say('security.factors.lead')}>
        <Rows
          rows={names}
          id={(name) => name}
          cell={(name) => (
            <>
              <span className="co-label">{say(`security.factor.${name}`)}</span>{' '}
              {enabled.has(name) && <Badge>{say('security.on')}</Badge>}
              <p className="co-hint">{say(`security.factor.${name}.lead`)}</p>
            </>
          )}
          action={(name) =>
            console.may(guardian.factorsUpdate) && (
              <OperationForm
                operation={guardian.factorsUpdate}
                params={{ name }}
                body={{ enabled: !enabled.has(name) }}
                submitLabel={say(enabled.has(name) ? 'security.turn_off' : 'security.turn_on')}
              />
            )
          }
        />
      </Panel>
      <SettingsOfSeveral parts={details} />
    </>
  )
})

async function policy(console: Console) {
  if (!console.may(guardian.policiesList)) return null
  const set = await console.read(guardian.policiesList)
  const used = POLICIES.find(({ policies: [name] }) => name === undefined || set.includes(name))
  return (
    <Panel key="policy" title={say('security.policy')} lead={say('security.policy.lead')}>
      <Rows
        rows={POLICIES}
        id={({ key }) => key}
        cell={({ key }) => (
          <>
            <span className="co-label">{say(`security.policy.${key}`)}</span>{' '}
            {key === used?.key && <Badge>{say('security.used')}</Badge>}
            <p className="co-hint">{say(`security.policy.${key}.lead`)}</p>
          </>
        )}
        action={({ key, policies }) =>
          key !== used?.key &&
          console.may(guardian.policiesUpdate) && (
            <OperationForm
              operation={guardian.policiesUpdate}
              body={policies}
              submitLabel={say('security.policy.use')}
            />
          )
        }
      />
    </Panel>
  )
}
