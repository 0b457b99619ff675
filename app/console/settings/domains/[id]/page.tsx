import type { Metadata } from 'next'
import { customDomains } from '../../../../../lib/management/resources/custom-domains'
import { formGroups, valueLabel } from '../../../../../lib/server/next/console/form'
import { say } from '../../../../../lib/text/console'
import { CopyableId } from '../../../_parts/copy'
import { DeletePanel } from '../../../_parts/delete-panel'
import { Facts } from '../../../_parts/facts'
import { Head } from '../../../_parts/head'
import { Moment } from '../../../_parts/moment'
import { NotApplied } from '../../../_parts/not-applied'
import { OperationForm } from '../../../_parts/operation-form'
import { consolePage } from '../../../_parts/page'
import { Panel } from '../../../_parts/panel'
import { SettingsPanels } from '../../../_parts/settings-panels'
import { Notice } from '../../../_parts/states'
import { DomainState } from '../domain'

export const metadata: Metadata = { title: say('domains.title') }

const PATH = '/console/settings/domains'

export default consolePage(async ({ console, params: { id = '' } }) => {
  const { value: domain, tag, notApplied } = await console.readTagged(customDomains.read, { params: { id } })
  const { type, verification, origin_domain_name: origin } = domain
  const isOwnProxy = type === 'self_managed_certs'
  return (
    <>
      <Head
        title={domain.domain}
        lead={<DomainState {...domain} />}
        back={{ href: PATH, title: say('domains.title') }}
      />
      <Facts
        facts={[
          [say('column.id'), <CopyableId key="id" value={domain.custom_domain_id} />],
          [say('domains.kind'), valueLabel(customDomains.create, 'type', type)],
          [say('domains.checked'), <Moment key="checked" at={verification.last_verified_at} />],
        ]}
      />
      {domain.status !== 'ready' && (
        <Panel title={say('domains.proof')} lead={say('domains.proof.lead')}>
          {verification.error_msg && <Notice kind="error">{verification.error_msg}</Notice>}
          <Facts
            facts={[
              ...verification.methods.flatMap((method) => [
                [say('domains.record'), <CopyableId key="name" value={method.domain} />] as const,
                [say('domains.value'), <CopyableId key="value" value={method.record} />] as const,
              ]),
              [say('domains.origin'), <CopyableId key="origin" value={origin} />],
            ]}
          />
          {console.may(customDomains.verify) && (
            <OperationForm
              operation={customDomains.verify}
              params={{ id }}
              submitLabel={say('domains.verify')}
              next={`${PATH}/${encodeURIComponent(id)}`}
            />
          )}
        </Panel>
      )}
      <SettingsPanels
        groups={formGroups(customDomains.update, 'domains').map((group) => ({
          ...group,
          members: group.members.filter((name) => isOwnProxy || name !== 'custom_client_ip_header'),
        }))}
        operation={customDomains.update}
        params={{ id }}
        tag={tag}
        value={domain}
        allowed={console.may(customDomains.update)}
      />
      <NotApplied paths={notApplied} />
      {console.may(customDomains.delete) && (
        <DeletePanel
          operation={customDomains.delete}
          params={{ id }}
          tag={tag}
          title={say('domains.delete')}
          lead={say('domains.delete.lead')}
          submitLabel={say('domains.delete')}
          confirm={domain.domain}
          to={PATH}
        />
      )}
    </>
  )
})
