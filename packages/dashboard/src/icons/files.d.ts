declare module '*.svg' {
  /** Address of the file, relative to the script that names it. */
  const address: string;
  export default address;
}
