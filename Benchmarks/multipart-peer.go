// multipart-peer FILE BOUNDARY: what MultipartBenchmark.swift does, with Go's mime/multipart.
package main

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"os"
	"syscall"
)

func cpu() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	seconds := usage.Utime.Sec + usage.Stime.Sec
	return float64(seconds) + float64(usage.Utime.Usec+usage.Stime.Usec)/1e6
}

func main() {
	body, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	buffer := make([]byte, 65536)
	start := cpu()
	var count int64
	reader := multipart.NewReader(bytes.NewReader(body), os.Args[2])
	for {
		part, err := reader.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			panic(err)
		}
		for {
			n, err := part.Read(buffer)
			count += int64(n)
			if err == io.EOF {
				break
			}
			if err != nil {
				panic(err)
			}
		}
	}
	fmt.Println(cpu()-start, count)
}
