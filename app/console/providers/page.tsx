import type { Metadata } from 'next'
import type { AnswerOf } from '../../../lib/management/console-call'
import { emailProvider } from '../../../lib/management/resources/email-provider'
import { membersWithin, valueLabel } from '../../../lib/server/next/console/form'
import { MAIL_PROVIDERS, schemaOf } from '../../../lib/server/next/console/mail-providers'
import { type Console, troubleOf } from '../../../lib/server/next/console/page'
import { say } from '../../../lib/text/console'
import { DeletePanel } from '../_parts/delete-panel'
import { KindCards } from '../_parts/kind-cards'
import { consolePage } from '../_parts/page'
import { Panel } from '../_parts/panel'
import { SettingsForm } from '../_parts/settings-form'
import { TabbedHead } from '../_parts/tabs'
import { PROVIDERS } from './tabs'
import { undelivered } from './undelivered'

export const metadata: Metadata = { title: say('providers.title') }

const PATH = '/console/providers'

const membersOf = (schema: ReturnType<typeof schemaOf>): readonly string[] => [
  'default_from_address',
  ...membersWithin('credentials', schema),
]

export default consolePage(async ({ console, query: { kind = '' } }) => {
  const [found, trouble] = await Promise.all([readProvider(console), undelivered('email', console)])
  return (
    <>
      <TabbedHead {...PROVIDERS} console={console} path={PATH} />
      {trouble}
      {found ? <Present {...found} console={console} /> : <New console={console} kind={kind} />}
    </>
  )
})

type Provider = AnswerOf<typeof emailProvider.read>

async function readProvider(console: Console) {
  try {
    return await console.readTagged(emailProvider.read)
  } catch (error) {
    if (troubleOf(error).kind === 'missing') return null
    throw error
  }
}

function New({ console, kind }: { console: Console; kind: string }) {
  const chosen = MAIL_PROVIDERS.find((each) => each === kind) ?? 'smtp'
  const schema = schemaOf(chosen)
  const name = valueLabel(emailProvider.make, 'name', chosen)
  return (
    <>
      <p className="co-hint">{say('providers.none')}</p>
      {console.may(emailProvider.make) && (
        <>
          <KindCards
            label={say('providers.kinds')}
            cards={MAIL_PROVIDERS.map((each) => ({
              href: `${PATH}?kind=${each}`,
              title: valueLabel(emailProvider.make, 'name', each),
              isChosen: each === chosen,
            }))}
          />
          <Panel title={say('providers.new', { name })} lead={say('providers.new.lead')}>
            <SettingsForm
              key={chosen}
              operation={emailProvider.make}
              body={{ name: chosen, ...(chosen === 'custom' ? { credentials: {} } : {}) }}
              schema={schema}
              members={membersOf(schema)}
              submitLabel={say('providers.set')}
              next={`${PATH}?done=created`}
            />
          </Panel>
        </>
      )}
    </>
  )
}

function Present({ console, value, tag }: { console: Console; value: Provider; tag: string }) {
  const name = valueLabel(emailProvider.make, 'name', value.name)
  const schema = schemaOf(value.name)
  return (
    <>
      <Panel title={say('providers.present', { name })} lead={say('providers.present.lead')}>
        <SettingsForm
          operation={emailProvider.change}
          tag={tag}
          schema={schema}
          members={['enabled', ...membersOf(schema)]}
          value={value}
          allowed={console.may(emailProvider.change)}
        />
      </Panel>
      {value.enabled && console.may(emailProvider.try) && (
        <Panel title={say('providers.try')} lead={say('providers.try.lead')}>
          <SettingsForm operation={emailProvider.try} members={['to']} submitLabel={say('providers.try')} done="done" />
        </Panel>
      )}
      {console.may(emailProvider.remove) && (
        <DeletePanel
          operation={emailProvider.remove}
          tag={tag}
          title={say('providers.remove')}
          lead={say('providers.remove.lead')}
          submitLabel={say('providers.remove')}
          confirm={name}
          to={PATH}
        />
      )}
    </>
  )
}
