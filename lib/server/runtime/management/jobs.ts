// What runs beside the requests: imports, exports and other jobs, and log streams.

import { setTimeout as sleep } from 'node:timers/promises'
import { tenantJobStore } from '../../../adapters/store/prisma/jobs'
import type { ManagementDeps } from '../../../management/deps'
import { exportedFile } from '../../../management/jobs/exported-file'
import type { ManagementOpening } from './opening'

export const jobs = ({ db, tenantId, runtime, shared }: ManagementOpening) =>
  ({
    wakeJobs: shared.wakeJobs,
    wakeStreams: shared.wakeStreams,
    admitWait: shared.admitWait,
    pause: sleep,
    maxImportBytes: shared.maxImportBytes,
    exportedFile: (jobId) => exportedFile(jobId, tenantJobStore(db, tenantId), runtime.vault),
  }) satisfies Partial<ManagementDeps>
