/** A lock that only one program can hold. */
export interface ProgramLock {
  readonly isHeld: boolean;
  /** Takes the lock if it is free, or if its holder is gone. Detecting the latter requires repeated calls. */
  tryAcquire(): Promise<boolean>;
  /** Whether the lock is still ours: if a program is suspended for long, another one may have taken it. */
  confirm(): Promise<boolean>;
  release(): Promise<void>;
}
