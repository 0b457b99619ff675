import path from 'path-browserify'

path.posix = path
path.toNamespacedPath ??= (name) => name
/** The file system does not exist; names of Windows are read as they are there as far as callers need their last part. */
path.win32 = {
  ...path,
  sep: '\\',
  delimiter: ';',
  basename: (name, end) => path.basename(name.replace(/\\/g, '/'), end),
}

export { path }
