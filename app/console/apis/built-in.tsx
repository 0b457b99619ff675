import { personalApis } from '../../../lib/server/next/console/built-in-apis'
import type { Console } from '../../../lib/server/next/console/page'
import { say } from '../../../lib/text/console'
import { Facts } from '../_parts/facts'
import { Panel } from '../_parts/panel'

/** The Management API is in the list; those of a person have no settings. */
export const BuiltIn = ({ console }: { console: Console }) => (
  <Panel title={say('apis.built_in')} lead={say('apis.built_in.lead')}>
    <Facts
      facts={personalApis(console.baseUrl).map(({ audience, about }) => [
        audience,
        <span key={audience}>{about}</span>,
      ])}
    />
  </Panel>
)

export const SystemApi = () => (
  <Panel title={say('apis.system')} lead={say('apis.system.lead')}>
    <p>{say('apis.system.machines')}</p>
    <p>{say('apis.system.people')}</p>
    <a className="co-row-link" href="/reference?api=management">
      {say('apis.system.reference')}
    </a>
  </Panel>
)
