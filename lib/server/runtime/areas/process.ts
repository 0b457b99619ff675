// What a tenant has of the process as it is.
import { createXmlReader } from '../../../crypto/saml/xml-reader'
import type { Opening } from '../opening'
import type { Runtime } from '../runtime'

export const openProcess = ({ tenant, shared }: Opening) =>
  ({
    clock: shared.clock,
    vault: shared.vault,
    compat: tenant.settings.tenant.compat.errors,
    admit: shared.admit,
    vendorHost: shared.vendorHost,
    demo: false,
    devOutbox: false,
    callOut: shared.callOut,
    readXml: createXmlReader(shared.xmlThreads, tenant.id),
    explorerFiles: shared.explorerFiles,
    outbox: shared.outbox,
    metrics: shared.metrics,
    observe: shared.observe,
    examiner: shared.examiner,
    passwords: shared.passwords,
    breached: shared.breached,
    placeOf: shared.placeOf,
    readiness: shared.readiness,
  }) satisfies Partial<Runtime>
