//go:build !linux

package main

import "errors"

type events struct{}

func openMisses() (events, error) { return events{}, errors.ErrUnsupported }

func (events) read() (uint64, error) { return 0, errors.ErrUnsupported }

func (events) close() error { return nil }
