/** The texts of streams. */
export const streams = {
  'streams.title': 'Log streams',
  'streams.lead':
    'Where the audit log is sent, as it is written: at least once, in order, without an effect on logins.',
  'streams.empty': 'The audit log is sent nowhere yet.',
  'streams.new': 'New log stream',
  'streams.new.lead': 'It sends what happens from now on.',
  'streams.types': 'Kinds of log streams',
  'streams.type.http': 'Any server of yours, with a signature',
  'streams.type.datadog': 'Logs of Datadog',
  'streams.type.splunk': 'An HTTP Event Collector',
  'streams.type.sumo': 'An HTTP source of Sumo Logic',
  'streams.type.segment': 'Track events',
  'streams.type.mixpanel': 'Events of a project',
  'streams.sink': 'Destination',
  'streams.sink.lead':
    'A secret that stays empty or masked is kept. Where the destination changes, its secrets are entered again.',
  'streams.events': 'Events',
  'streams.events.all': 'All',
  'streams.events.lead': 'Without a choice, every event is sent.',
  'streams.health': 'Delivery',
  'streams.health.active':
    'A delivery that fails is repeated, later each time. After a week of failures the stream is suspended.',
  'streams.health.paused': 'Nothing is sent until the stream is active again. Then it goes on where it stopped.',
  'streams.health.suspended': 'The destination failed for too long. Make the stream active once it works again.',
  'streams.health.delivered': 'Last delivery',
  'streams.health.pending': 'Records waiting',
  'streams.health.failures': 'Failures in a row',
  'streams.health.failing': 'Fails since',
  'streams.health.error': 'Last failure',
  'streams.delete.lead': 'Nothing more is sent to its destination. The audit log here stays.',
} as const
