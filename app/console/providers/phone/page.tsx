import type { Metadata } from 'next'
import { phoneProviders } from '../../../../lib/management/resources/phone-providers'
import { valueLabel } from '../../../../lib/server/next/console/form'
import type { Console } from '../../../../lib/server/next/console/page'
import {
  PHONE_PROVIDERS,
  type PhoneProviderName,
  phoneMembers,
} from '../../../../lib/server/next/console/phone-providers'
import { say } from '../../../../lib/text/console'
import { DeletePanel } from '../../_parts/delete-panel'
import { KindCards } from '../../_parts/kind-cards'
import { consolePage } from '../../_parts/page'
import { Panel } from '../../_parts/panel'
import { SettingsForm } from '../../_parts/settings-form'
import { TabbedHead } from '../../_parts/tabs'
import { PROVIDERS } from '../tabs'
import { undelivered } from '../undelivered'

export const metadata: Metadata = { title: say('providers.phone') }

const PATH = '/console/providers/phone'

export default consolePage(async ({ console, query: { kind = '' } }) => {
  const [
    {
      providers: [listed],
    },
    trouble,
  ] = await Promise.all([console.read(phoneProviders.all), undelivered('phone', console)])
  return (
    <>
      <TabbedHead {...PROVIDERS} console={console} path={PATH} />
      {trouble}
      {listed ? (
        await present(listed.id, console)
      ) : (
        <New console={console} kind={PHONE_PROVIDERS.find((each) => each === kind) ?? 'twilio'} />
      )}
    </>
  )
})

function New({ console, kind }: { console: Console; kind: PhoneProviderName }) {
  const name = valueLabel(phoneProviders.make, 'name', kind)
  return (
    <>
      <p className="co-hint">{say('providers.none')}</p>
      {console.may(phoneProviders.make) && (
        <>
          <KindCards
            label={say('providers.kinds')}
            cards={PHONE_PROVIDERS.map((each) => ({
              href: `${PATH}?kind=${each}`,
              title: valueLabel(phoneProviders.make, 'name', each),
              isChosen: each === kind,
            }))}
          />
          <Panel title={say('providers.new', { name })} lead={say('providers.new.lead')}>
            <SettingsForm
              key={kind}
              operation={phoneProviders.make}
              body={{ name: kind, ...(kind === 'custom' ? { credentials: {} } : {}) }}
              members={phoneMembers(kind).filter((name) => name !== 'disabled')}
              submitLabel={say('providers.set')}
              next={`${PATH}?done=created`}
            />
          </Panel>
        </>
      )}
    </>
  )
}

async function present(id: string, console: Console) {
  const params = { id }
  const { value, tag } = await console.readTagged(phoneProviders.read, { params })
  const name = valueLabel(phoneProviders.make, 'name', value.name)
  return (
    <>
      <Panel title={say('providers.present', { name })} lead={say('providers.present.lead')}>
        <SettingsForm
          operation={phoneProviders.change}
          params={params}
          tag={tag}
          members={phoneMembers(value.name)}
          value={value}
          allowed={console.may(phoneProviders.change)}
        />
      </Panel>
      {!value.disabled && console.may(phoneProviders.try) && (
        <Panel title={say('providers.try')} lead={say('providers.try.lead')}>
          <SettingsForm
            operation={phoneProviders.try}
            params={params}
            members={['to', 'delivery_method']}
            submitLabel={say('providers.try')}
            done="done"
          />
        </Panel>
      )}
      {console.may(phoneProviders.remove) && (
        <DeletePanel
          operation={phoneProviders.remove}
          params={params}
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
