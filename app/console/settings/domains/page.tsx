import type { Metadata } from 'next'
import Link from 'next/link'
import { customDomains } from '../../../../lib/management/resources/custom-domains'
import { say } from '../../../../lib/text/console'
import { Badge } from '../../_parts/badge'
import { consolePage } from '../../_parts/page'
import { Panel } from '../../_parts/panel'
import { Rows } from '../../_parts/rows'
import { SettingsForm } from '../../_parts/settings-form'
import { TabbedHead } from '../../_parts/tabs'
import { SETTINGS } from '../tabs'
import { DomainState } from './domain'

export const metadata: Metadata = { title: say('domains.title') }

const PATH = '/console/settings/domains'

export default consolePage(async ({ console }) => {
  const [domains, chosen] = await Promise.all([
    console.read(customDomains.list, { query: { per_page: '100' } }),
    console.read(customDomains.default),
  ])
  const origins = domains.slice(0, 1).map(({ origin_domain_name }) => origin_domain_name)
  const ready = [...origins, ...domains.filter(({ status }) => status === 'ready').map(({ domain }) => domain)]
  return (
    <>
      <TabbedHead {...SETTINGS} console={console} path={PATH} />
      <Panel title={say('domains.title')} lead={say('domains.lead')}>
        <Rows
          rows={domains}
          id={({ custom_domain_id }) => custom_domain_id}
          cell={({ custom_domain_id, domain }) => (
            <Link className="co-row-link" href={`${PATH}/${custom_domain_id}`} prefetch={false}>
              {domain}
            </Link>
          )}
          action={(domain) => (
            <div className="co-row-actions">
              {domain.is_default && <Badge>{say('domains.default.badge')}</Badge>}
              <DomainState {...domain} />
            </div>
          )}
        />
      </Panel>
      {console.may(customDomains.create) && (
        <Panel title={say('domains.new')} lead={say('domains.new.lead')}>
          <SettingsForm
            operation={customDomains.create}
            members={['domain', 'type']}
            submitLabel={say('form.add')}
            next={`${PATH}/{id}?done=created`}
          />
        </Panel>
      )}
      {domains.length > 0 && (
        <Panel title={say('domains.default')} lead={say('domains.default.lead')}>
          <SettingsForm
            operation={customDomains.setDefault}
            members={['domain']}
            value={chosen}
            choices={{ domain: ready.map((domain) => ({ value: domain, label: domain })) }}
            allowed={console.may(customDomains.setDefault)}
          />
        </Panel>
      )}
    </>
  )
})
