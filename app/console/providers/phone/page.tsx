import type { Metadata } from 'next'
import type { Console } from '../../../../lib/next/console/page'
import { say } from '../../../../lib/texts/console'
import { describeOption } from '../../../../lib/texts/console-members'
import { DeletePanel } from '../../_parts/delete-panel'
import { consolePage } from '../../_parts/page'
import { Panel } from '../../_parts/panel'
import { SettingsForm } from '../../_parts/settings-form'
import { TabbedHead } from '../../_parts/tabs'
import { PROVIDERS } from '../tabs'

export const metadata: Metadata = { title: say('providers.phone') }

const PATH = '/console/providers/phone'

const NAME = describeOption('name', 'twilio')

const MEMBERS = [
  'configuration.sid',
  'credentials.auth_token',
  'configuration.delivery_methods',
  'configuration.default_from',
  'configuration.mssid',
]

type Provider = { id: string; disabled: boolean }

export default consolePage(async ({ console }) => {
  const {
    providers: [listed],
  } = await console.read<{ providers: Provider[] }>('phone_providers.all')
  return (
    <>
      <TabbedHead {...PROVIDERS} console={console} path={PATH} />
      {listed ? await present(listed.id, console) : <New console={console} />}
    </>
  )
})

function New({ console }: { console: Console }) {
  return (
    <>
      <p className="co-hint">{say('providers.none')}</p>
      {console.may('phone_providers.make') && (
        <Panel title={say('providers.new', { name: NAME })} lead={say('providers.new.lead')}>
          <SettingsForm
            operation="phone_providers.make"
            body={{ name: 'twilio' }}
            members={MEMBERS}
            submitLabel={say('providers.set')}
            next={`${PATH}?done=created`}
          />
        </Panel>
      )}
    </>
  )
}

async function present(id: string, console: Console) {
  const params = { id }
  const { value, tag } = await console.readTagged<Provider>('phone_providers.read', { params })
  return (
    <>
      <Panel title={say('providers.present', { name: NAME })} lead={say('providers.present.lead')}>
        <SettingsForm
          operation="phone_providers.change"
          params={params}
          tag={tag}
          members={['disabled', ...MEMBERS]}
          value={value}
          allowed={console.may('phone_providers.change')}
        />
      </Panel>
      {!value.disabled && console.may('phone_providers.try') && (
        <Panel title={say('providers.try')} lead={say('providers.try.lead')}>
          <SettingsForm
            operation="phone_providers.try"
            params={params}
            members={['to', 'delivery_method']}
            submitLabel={say('providers.try')}
            done="done"
          />
        </Panel>
      )}
      {console.may('phone_providers.remove') && (
        <DeletePanel
          operation="phone_providers.remove"
          params={params}
          tag={tag}
          title={say('providers.remove')}
          lead={say('providers.remove.lead')}
          submitLabel={say('providers.remove')}
          confirm={NAME}
          to={PATH}
        />
      )}
    </>
  )
}
