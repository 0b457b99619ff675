// The entry of the threads that read XML of other parties. lib/server/node/xml-thread.mjs bundles it as one file.
import { parentPort } from 'node:worker_threads'
import { runXmlJob, type XmlJob } from './xml-jobs'

parentPort?.on('message', (job: XmlJob) => parentPort?.postMessage(runXmlJob(job)))
parentPort?.postMessage('ready')
