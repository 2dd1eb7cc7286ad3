// A form's file, as Go's standard library takes it: `upload_peer PORT DIR`.
package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
)

func main() {
	http.HandleFunc("/upload", func(w http.ResponseWriter, r *http.Request) {
		reader, err := r.MultipartReader()
		if err != nil {
			http.Error(w, err.Error(), 400)
			return
		}
		for {
			part, err := reader.NextPart()
			if err == io.EOF {
				break
			}
			if err != nil || part.FormName() != "uploadFile" {
				http.Error(w, "no such part", 400)
				return
			}
			file, err := os.Create(filepath.Join(os.Args[2], filepath.Base(part.FileName())))
			if err != nil {
				http.Error(w, err.Error(), 500)
				return
			}
			_, err = io.Copy(file, part)
			file.Close()
			if err != nil {
				http.Error(w, err.Error(), 400)
				return
			}
		}
	})
	panic(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}
