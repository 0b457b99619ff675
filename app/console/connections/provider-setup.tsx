import type { Console } from '../../../lib/next/console/page'
import { say } from '../../../lib/texts/console'
import { CopyableId } from '../_parts/copy'
import { Facts } from '../_parts/facts'
import { Panel } from '../_parts/panel'

/** What an administrator enters at the identity provider. */
export const ProviderSetup = ({ setup }: { setup: ReturnType<Console['providerSetup']> }) =>
  setup.length > 0 && (
    <Panel title={say('connections.setup')} lead={say('connections.setup.lead')}>
      <Facts
        facts={setup.map(([name, value]) => [
          say(`connections.setup.${name}`),
          <CopyableId key={name} value={value} />,
        ])}
      />
    </Panel>
  )
