import type { Metadata } from 'next'
import { type Console, troubleOf } from '../../../lib/next/console/page'
import { say } from '../../../lib/texts/console'
import { describeOption } from '../../../lib/texts/console-members'
import { OperationForm } from '../_parts/operation-form'
import { consolePage } from '../_parts/page'
import { Panel } from '../_parts/panel'
import { SettingsForm } from '../_parts/settings-form'
import { TabbedHead } from '../_parts/tabs'
import { PROVIDERS } from './tabs'

export const metadata: Metadata = { title: say('providers.title') }

const PATH = '/console/providers'

const KEY = { needed: ['credentials.api_key'], more: [] }

/** What a provider needs beside the sender, and what else it has. */
const KINDS: Readonly<Record<string, { needed: readonly string[]; more: readonly string[] }>> = {
  smtp: {
    needed: ['credentials.smtp_host', 'credentials.smtp_port'],
    more: ['credentials.smtp_user', 'credentials.smtp_pass'],
  },
  ses: {
    needed: ['credentials.accessKeyId', 'credentials.secretAccessKey', 'credentials.region'],
    more: [],
  },
  sendgrid: KEY,
  mailgun: { needed: ['credentials.api_key', 'credentials.domain'], more: ['credentials.region'] },
  postmark: KEY,
  resend: KEY,
}

const membersOf = (kind: string): readonly string[] => {
  const { needed = [], more = [] } = KINDS[kind] ?? {}
  return ['default_from_address', ...needed, ...more]
}

const choicesOf = (kind: string): Readonly<Record<string, readonly { value: string; label: string }[]>> =>
  kind === 'mailgun' ? { 'credentials.region': ['us', 'eu'].map((value) => ({ value, label: value })) } : {}

export default consolePage(async ({ console, query: { kind = '' } }) => {
  const found = await readProvider(console)
  return (
    <>
      <TabbedHead {...PROVIDERS} console={console} path={PATH} />
      {found ? <Present {...found} console={console} /> : <New console={console} kind={kind} />}
    </>
  )
})

type Provider = { name: string; enabled: boolean }

async function readProvider(console: Console) {
  try {
    return await console.readTagged<Provider>('email_provider.read')
  } catch (error) {
    if (troubleOf(error).kind === 'missing') return null
    throw error
  }
}

function New({ console, kind }: { console: Console; kind: string }) {
  const chosen = Object.hasOwn(KINDS, kind) ? kind : 'smtp'
  const name = describeOption('name', chosen)
  return (
    <>
      <p className="co-hint">{say('providers.none')}</p>
      {console.may('email_provider.make') && (
        <>
          <nav className="co-cards" aria-label={say('providers.kinds')}>
            {Object.keys(KINDS).map((each) => (
              <a
                key={each}
                className="co-card"
                href={`${PATH}?kind=${each}`}
                aria-current={each === chosen ? 'true' : undefined}
              >
                <span className="co-card-title">{describeOption('name', each)}</span>
              </a>
            ))}
          </nav>
          <Panel title={say('providers.new', { name })} lead={say('providers.new.lead')}>
            <SettingsForm
              key={chosen}
              operation="email_provider.make"
              body={{ name: chosen }}
              members={membersOf(chosen)}
              required={KINDS[chosen]?.needed ?? []}
              choices={choicesOf(chosen)}
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
  const name = describeOption('name', value.name)
  return (
    <>
      <Panel title={say('providers.present', { name })} lead={say('providers.present.lead')}>
        <SettingsForm
          operation="email_provider.change"
          tag={tag}
          members={['enabled', ...membersOf(value.name)]}
          choices={choicesOf(value.name)}
          value={value}
          allowed={console.may('email_provider.change')}
        />
      </Panel>
      {value.enabled && console.may('email_provider.try') && (
        <Panel title={say('providers.try')} lead={say('providers.try.lead')}>
          <SettingsForm
            operation="email_provider.try"
            members={['to']}
            submitLabel={say('providers.try')}
            done="done"
          />
        </Panel>
      )}
      {console.may('email_provider.remove') && (
        <Panel title={say('providers.remove')} lead={say('providers.remove.lead')} danger>
          <OperationForm
            operation="email_provider.remove"
            tag={tag}
            submitLabel={say('providers.remove')}
            confirm={name}
            next={`${PATH}?done=deleted`}
            danger
          />
        </Panel>
      )}
    </>
  )
}
